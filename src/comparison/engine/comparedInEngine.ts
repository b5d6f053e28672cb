import type { Disposable } from '../../base/disposable';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { sentLabels } from '../../archives/labelRuns';
import type { LinkToOthers } from '../../linking/engine/linkHandlers';
import type { StartProgress } from '../../protocol/engineProgress';
import type { RequestHandlers } from '../../protocol/rpc';
import type { ComparedSide } from '../comparison';
import type { ComparisonRequests } from '../comparisonRequests';
import { MaskComparison } from './maskComparison';
import { linkPairs } from './pairLinks';
import { pairLines } from './pairsTable';
import { saveComparison } from './saveComparison';
import { openReference } from './truth/openReference';

/** Maximum memory for the decoded objects of each side, in bytes. */
const MEMORY_OF_SIDE = 256 * 1024 ** 2;

/** Maximum number of objects in a message, whose outcomes and partners take 2.5 MB. */
const MAX_OBJECTS = 500_000;

/** Minimum number of characters to write at once, to save writes. */
const CHUNK_CHARACTERS = 1 << 16;

/** A comparison of two sets of masks, and the handlers of requests about it. */
export class ComparedInEngine implements Disposable {
  private readonly comparison = new MaskComparison();
  private readonly saving = new Set<Promise<unknown>>();

  constructor(private readonly startProgress: StartProgress) {}

  readonly handlers: RequestHandlers<ComparisonRequests> = {
    openCompared: async ({ side, path, mayBeEmpty = false, separatesAreas = false }, signal) => {
      const options = { mayBeEmpty, separatesAreas, memory: MEMORY_OF_SIDE };
      const masks = await openReference(path, options, this.startProgress('compared', side), signal);
      return this.comparison.setSide(side, masks);
    },
    compareImages: (request, signal) =>
      this.comparison.compare(request, this.startProgress('comparison', ''), signal),
    comparisonCurve: () => ({ points: this.comparison.latest.curve() }),
    comparisonScores: ({ threshold }) => this.comparison.latest.scores(threshold),
    comparedObjects: async ({ side, image, threshold, from = 0 }, signal) => {
      const matching = await this.comparison.latest.matching(image, threshold, signal);
      const [outcomes, partners] =
        side === 'a'
          ? [matching.outcomesOfA, matching.partnersOfA]
          : [matching.outcomesOfB, matching.partnersOfB];
      const end = Math.min(outcomes.length, from + MAX_OBJECTS);
      // Copies: sending transfers the buffers, which the comparison still needs.
      return {
        outcomes: outcomes.slice(from, end).buffer,
        partners: partners.slice(from, end).buffer,
        from,
        count: Math.max(0, end - from),
        isLast: end === outcomes.length,
      };
    },
    comparedTile: async ({ side, image, level, x, y, hidden }, signal) => {
      const hiddenBits = hidden && new Uint8Array(hidden);
      const { labels } = await this.masks(side).labelTile(image, { level, x, y }, hiddenBits, signal);
      return sentLabels(labels);
    },
    comparedObjectsAt: async ({ side, image, x, y }, signal) => ({
      objects: await this.masks(side).objectsAt(image, x, y, signal),
    }),
    comparedFacts: ({ side, image, object }, signal) => this.masks(side).facts(image, object, signal),
    comparedIou: ({ image, a, b }) => ({ iou: this.comparison.latest.image(image).iouOf(a, b) }),
    writePairsTable: ({ path, threshold }, signal) =>
      this.track(writePairs(path, pairLines(this.comparison.latest, threshold, signal), signal)),
    saveComparison: (request, signal) => this.track(saveComparison(this.comparison.latest, request, signal)),
    comparisonSettled: async () => {
      await Promise.allSettled(this.saving);
      return {};
    },
  };

  /** Links rows of the table of pairs to objects; undefined before the first comparison. */
  get links(): LinkToOthers | undefined {
    const compared = this.comparison.latestIfAny;
    return compared && ((table, signal) => linkPairs(table, compared, signal));
  }

  dispose(): void {
    this.comparison.dispose();
  }

  private masks(side: ComparedSide) {
    return this.comparison.side(side).masks;
  }

  private async track<T>(work: Promise<T>): Promise<T> {
    this.saving.add(work);
    try {
      return await work;
    } finally {
      this.saving.delete(work);
    }
  }
}

async function writePairs(
  path: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal | undefined,
): Promise<{ rows: number }> {
  return await writeAtomicFile(
    path,
    async handle => {
      // The first line is the header, not a row.
      let rows = -1;
      let text = '';
      for await (const line of lines) {
        rows++;
        text += line;
        if (text.length < CHUNK_CHARACTERS) continue;
        await handle.appendFile(text);
        text = '';
      }
      await handle.appendFile(text);
      return { rows };
    },
    { signal, mode: 0o600 },
  );
}
