import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import { encodeCounts } from '../../../../../src/archives/runLengthEncoding';
import { MasksKernels } from '../../../../../src/archives/engine/masksKernel';
import { maskOf } from '../../../../../src/archives/engine/imageObjects';
import { rectangle } from '../archives';
import { contents, expectedMasks, readIn } from './imageEntries';

describe('the entry of an image, compared with JSON.parse', () => {
  it('agrees with parsing it as a whole, whatever the records hold', async () => {
    const odd = fc.oneof(fc.json({ maxDepth: 2 }), fc.integer({ min: -5, max: 50 }).map(String));
    const size = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
    const good = size.chain(([height, width]) =>
      fc
        .record({
          x: fc.integer({ min: 0, max: 18 }),
          y: fc.integer({ min: 0, max: 18 }),
          first: fc.nat(height * width),
        })
        .map(({ x, y, first }) =>
          JSON.stringify({
            ...rectangle(0, x, y, x + width, y + height),
            rle: { size: [height, width], counts: [first, height * width - first] },
          }),
        ),
    );
    const fields = fc.constantFrom('bbox', 'id', 'rle', 'pred_class', 'model_score', 'derived_objects');
    const changed = fc
      .tuple(good, fc.array(fc.tuple(fields, odd), { maxLength: 2 }))
      .map(([text, changes]) =>
        changes.reduce((json, [field, value]) => `${json.slice(0, -1)},"${field}":${value}}`, text),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(good, changed, odd), { maxLength: 8 }),
        fc.integer({ min: 1, max: 400 }),
        async (records, length) => {
          const objects = records.map((text, at) => `"${at}":${text}`).join();
          const text = `{"width":20,"height":20,"objects":{${objects}}}`;
          const { good: masks, bad } = expectedMasks(text);
          const entry = await readIn(text, length);
          assert.deepEqual(entry.unreadable, bad);
          assert.deepEqual(
            Array.from({ length: entry.objects.count }, (_, object) => maskOf(entry.objects, object)),
            masks.map(({ mask }) => mask),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  describe('written record by record', () => {
    const corner = fc.integer({ min: 0, max: 15 });
    const usual = fc
      .record({
        x: corner,
        y: corner,
        height: fc.integer({ min: 1, max: 5 }),
        width: fc.integer({ min: 1, max: 5 }),
        first: fc.nat(25),
        id: fc.integer({ min: 0, max: 300 }),
        className: fc.constantFrom('Cell', 'Nucleus', ''),
        score: fc.constantFrom(0.25, 0.95, -1e-3, 1),
        extra: fc.constantFrom('{}', '{"a":[1,"}"]}', 'null', '"\\u0041"'),
      })
      .map(({ x, y, height, width, first, id, className, score, extra }) => {
        const zeros = Math.min(first, height * width);
        const counts = btoa(encodeCounts([zeros, height * width - zeros]));
        return {
          bbox: `"bbox":[${[x, y, x + width, y + height].join()}]`,
          id: `"id":${id}`,
          rle: `"rle":{"size":[${height},${width}],"counts":"${counts}"}`,
          half: `"rle":{"size":[${height},${width}]}`,
          pred_class: `"pred_class":"${className}"`,
          model_score: `"model_score":${score}`,
          derived_objects: `"derived_objects":${extra}`,
        };
      });
    const written = (members: readonly string[]) => (record: Record<string, string>) =>
      `{${members.map(member => record[member] ?? '').join()}}`;
    const plain = usual.map(written(['bbox', 'id', 'rle', 'pred_class', 'derived_objects']));
    const scored = usual.map(written(['model_score', 'rle', 'pred_class', 'bbox', 'derived_objects', 'id']));
    const twice = usual.map(written(['id', 'bbox', 'rle', 'pred_class', 'rle', 'id']));
    const halved = usual.map(written(['bbox', 'rle', 'pred_class', 'half', 'id']));
    const bare = usual.map(written(['rle', 'pred_class', 'id']));
    const spaced = plain.map(text => text.replaceAll(':', ' : '));

    /** Objects and unreadable ones as JSON.parse finds them, or undefined when it finds no JSON. */
    function parsed(text: string) {
      try {
        const { objects } = JSON.parse(text) as { objects: Record<string, Record<string, unknown>> };
        const { good, bad } = expectedMasks(text);
        const found = good.map(({ key, mask }) => {
          const { id, pred_class: name, model_score: score } = objects[key] ?? {};
          return {
            id: typeof id === 'number' ? id : Number(key),
            className: typeof name === 'string' ? name : '',
            score: typeof score === 'number' ? score : NaN,
            mask,
          };
        });
        return { objects: found, unreadable: bad };
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    }

    async function agrees(records: readonly string[], length: number, kernels?: MasksKernels): Promise<void> {
      const objects = records.map((text, at) => `"${at}":${text}`).join();
      const text = `{"width":20,"height":20,"objects":{${objects}}}`;
      const wanted = parsed(text);
      if (!wanted) {
        await assert.rejects(readIn(text, length, kernels), error => isCoded(error, 'damaged-archive'), text);
        return;
      }
      const { objects: found, unreadable } = contents(await readIn(text, length, kernels));
      const actual = found.map(({ id, className, score, mask }) => ({ id, className, score, mask }));
      assert.deepEqual({ objects: actual, unreadable }, wanted, text);
    }

    it('agrees with parsing it as a whole when records follow each other in any form', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(plain, plain, plain, scored, twice, halved, bare, spaced), { maxLength: 40 }),
          fc.integer({ min: 1, max: 3000 }),
          (records, length) => agrees(records, length),
        ),
        { numRuns: 150 },
      );
    });

    for (const [readers, kernels] of [
      ['template and tokens', undefined],
      ['the kernel too', new MasksKernels()],
    ] as const)
      it(`costs an object at most where fields are missing, null, of another type or in another order, by ${readers}`, async () => {
        const names = ['bbox', 'id', 'rle', 'pred_class', 'model_score', 'derived_objects'];
        const other = fc.constantFrom(
          ...['null', 'true', '"0.5"', '"7"', '-3', '1.5', '2e1', '[]', '{}', '[1,2]', '{"size":null}', '""'],
        );
        const change = fc.record({ name: fc.constantFrom(...names), value: fc.option(other) });
        const order = fc.shuffledSubarray(names, { minLength: names.length });
        // Most are written alike, so that there is a template for them, and the odd ones have its
        // order.
        const record = fc
          .tuple(usual, fc.option(change, { freq: 2 }), fc.option(order, { freq: 8 }))
          .map(([members, changed, ownOrder]) => ({ members, changed, ownOrder }));
        await fc.assert(
          fc.asyncProperty(
            order,
            fc.array(record, { minLength: 2, maxLength: 20 }),
            fc.integer({ min: 50, max: 3000 }),
            async (common, records, length) => {
              const texts = records.map(({ members, changed, ownOrder }) => {
                const fields: Record<string, string> = { ...members };
                const order = ownOrder ?? common;
                if (!changed) return written(order)(fields);
                if (changed.value === null)
                  return written(order.filter(name => name !== changed.name))(fields);
                fields[changed.name] = `"${changed.name}":${changed.value}`;
                return written(order)(fields);
              });
              await agrees(texts, length, kernels);
            },
          ),
          { numRuns: 400 },
        );
      });

    it('agrees with parsing it as a whole when any byte of a record is changed', async () => {
      const bytes = fc.constantFrom(...'"\\{}[],:-.0179eE A=/\n\t');
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.array(plain, { minLength: 2, maxLength: 6 }), fc.array(scored, { minLength: 2 })),
          fc.nat(),
          fc.nat(),
          bytes,
          fc.integer({ min: 50, max: 3000 }),
          async (records, which, place, byte, length) => {
            const at = 1 + (which % (records.length - 1));
            const record = records[at] ?? '';
            const changed = place % record.length;
            const other = `${record.slice(0, changed)}${byte}${record.slice(changed + 1)}`;
            await agrees(records.with(at, other), length);
          },
        ),
        { numRuns: 1500 },
      );
    });
  });
});
