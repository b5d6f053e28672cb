import type { Reason } from '../../../../../src/base/reasons';
import assert from 'node:assert/strict';
import { isCoded } from '../../../../../src/base/errors';
import { readObjectMask } from '../../../../../src/archives/readObjectMask';
import { ClassNames } from '../../../../../src/archives/engine/classNames';
import { maskOf } from '../../../../../src/archives/engine/imageObjects';
import { readImageEntry } from '../../../../../src/archives/engine/readImageEntry';
import type { MasksKernels } from '../../../../../src/archives/engine/masksKernel';
import { image, record, rectangle } from '../archives';

/**
 * Reads the text of an image's entry, in pieces of this number of bytes; without kernels by
 * JavaScript alone.
 */
export function readIn(text: string, pieceLength = Infinity, kernels?: MasksKernels) {
  const bytes = Buffer.from(text);
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += pieceLength)
      yield await Promise.resolve(bytes.subarray(at, at + pieceLength));
  };
  const classes = new ClassNames(['Cell']);
  return readImageEntry({ open, size: bytes.length, entryId: 'entry' }, classes, { kernels }).then(entry => ({
    ...entry,
    classes,
  }));
}

type Entry = Awaited<ReturnType<typeof readIn>>;

/** The pixels of each object, and what else is known of it, for comparison. */
export function contents({
  objects,
  classes,
  unreadable,
  idsOtherThanKeys,
  withoutClass,
  id,
  filename,
}: Entry) {
  return {
    id,
    filename,
    size: [objects.width, objects.height],
    unreadable,
    idsOtherThanKeys,
    withoutClass,
    objects: Array.from({ length: objects.count }, (_, object) => ({
      id: objects.ids[object],
      className: classes.names[objects.classes[object] ?? 0],
      score: objects.scores[object],
      area: objects.areas[object],
      mask: maskOf(objects, object),
    })),
  };
}

/** The masks of an entry and what is wrong with the others, by JSON.parse and the slow way. */
export function expectedMasks(text: string) {
  const parsed = JSON.parse(text) as { width: number; height: number; objects: Record<string, unknown> };
  const good: { key: string; mask: unknown }[] = [];
  const bad: { key: string; reason: Reason }[] = [];
  for (const [key, value] of Object.entries(parsed.objects)) {
    try {
      good.push({ key, mask: readObjectMask(value, parsed.width, parsed.height) });
    } catch (error) {
      assert.ok(isCoded(error));
      bad.push({ key, reason: error.details.reason ?? assert.fail() });
    }
  }
  return { good, bad };
}

/** A small object at a place of an image. */
export const cell = (id: number, x: number) => rectangle(id, x, 2, x + 3, 6);

/** An image of four objects, with unusual names, scores, and unknown members. */
export const plain = image('img', 40, 30, [
  record(1, [2, 3, 5, 6], [3, 3], '09', 'Cell'),
  record(2, [7, 3, 9, 6], [3, 2], '2120', 'Böse "Zelle" 😀'),
  { ...cell(12, 11), model_score: 0.25 },
  {
    ...record(13, [2, 3, 5, 6], [3, 3], '09', ''),
    model_score: 5e-1,
    extra: [{ deep: [1, [2, '}']] }, null, true],
  },
]);
