import { strict as assert } from 'node:assert';
import { rolesOfNames, withGuessedRoles } from '../../../src/study/imageColumns';
import { matchPattern, parsePattern, isPattern } from '../../../src/study/imagePattern';
import { areMultiplied, type ImagePart, replicatesOf } from '../../../src/study/replicates';
import { randomNumbers } from '../randomNumbers';
import { assertClose } from './assertClose';

/** What is measured in an image: so many objects with this sum. */
function part(
  condition: string,
  replicate: (string | null)[],
  numerator: number,
  denominator: number,
): ImagePart {
  return {
    image: { path: `${condition}/${replicate.join('_')}.tif` },
    condition,
    replicate,
    objects: denominator,
    numerator,
    denominator,
  };
}

describe('Columns of replicates', () => {
  it('are a level below a donor, animal or day beside them', () => {
    for (const above of ['donor', 'Patient', 'animal_id', 'Mouse', 'day', 'Biological replicate', 'batch'])
      for (const below of ['rep', 'Replicate', 'tech', 'Technical replicate', 'repeat', 'Run'])
        assert.deepEqual(
          rolesOfNames([above, below]),
          ['replicate', 'technicalReplicate'],
          `${above} ${below}`,
        );
    for (const image of ['site', 'field', 'FOV', 'image', 'position'])
      assert.deepEqual(rolesOfNames(['donor', image]), ['replicate', undefined], image);
    assert.deepEqual(rolesOfNames(['rep']), ['replicate']);
    assert.deepEqual(rolesOfNames(['run']), [undefined]);
    const donor = { name: 'Donor', values: ['1', '2'], role: 'replicate' as const };
    const [rep] = withGuessedRoles([{ name: 'Rep', values: ['1', '2'] }], [donor]);
    assert.equal(rep?.role, 'technicalReplicate');
  });

  it('of a pattern never count a donor more than once', () => {
    const pattern = parsePattern('{condition}/{donor}_{rep}.tif');
    assert.ok(isPattern(pattern));
    const { columns } = matchPattern(pattern, ['a/d1_r1.tif', 'a/d1_r2.tif']);
    assert.deepEqual(
      columns.map(({ role }) => role),
      ['condition', 'replicate', 'technicalReplicate'],
    );
  });

  it('multiply n where they are crossed, and not where one tells the other', () => {
    const named = (...names: string[]) => names.map(name => ({ name: name.split(' ') }));
    assert.equal(areMultiplied(named('d1 mon', 'd1 tue', 'd2 mon', 'd2 tue')), true);
    // The same donors on another day in the other condition.
    assert.equal(areMultiplied(named('d1 mon', 'd2 mon', 'd1 tue', 'd2 tue')), true);
    // Mice are numbered anew in each batch.
    assert.equal(areMultiplied(named('b1 m1', 'b1 m2', 'b2 m1', 'b2 m2')), true);
    assert.equal(areMultiplied(named('b1 m1', 'b1 m2', 'b2 m3', 'b2 m4')), false);
    assert.equal(areMultiplied(named('d1', 'd2')), false);
    assert.equal(areMultiplied([{ name: [] }]), false);
  });
});

describe('Technical replicates', () => {
  const parts = [
    part('a', ['d1', 'r1'], 10, 1),
    part('a', ['d1', 'r1'], 60, 3),
    part('a', ['d1', 'r2'], 40, 1),
    part('a', ['d2', 'r1'], 5, 1),
    part('a', ['d2', 'r2'], 0, 0),
    part('a', ['d2', null], 9, 1),
  ];

  it('are averaged to replicates with equal weights, each over its objects', () => {
    const { replicates, withoutReplicate } = replicatesOf(parts, { mean: 'objects', technical: 1 });
    assert.deepEqual(
      replicates.map(({ name, value, technical, images }) => [name, value, technical, images]),
      // (70 / 4 + 40) / 2, and r2 of d2 has no value.
      [
        [['d1'], 28.75, 2, 3],
        [['d2'], 5, 1, 2],
      ],
    );
    assert.equal(withoutReplicate.length, 1);
  });

  it('are by choice each over its images', () => {
    const { replicates } = replicatesOf(parts, { mean: 'images', technical: 1 });
    // ((10 + 20) / 2 + 40) / 2
    assert.deepEqual(
      replicates.map(({ value }) => value),
      [27.5, 5],
    );
  });

  it('leave n to replicates and values to plain loops in 300 random studies', () => {
    const random = randomNumbers(26);
    for (let study = 0; study < 300; study++) {
      const donors = 1 + Math.floor(random() * 5);
      const all: ImagePart[] = [];
      const expected = new Map<string, number>();
      for (const condition of ['ctrl', 'drug'])
        for (let donor = 0; donor < donors; donor++) {
          let sum = 0;
          const reps = 1 + Math.floor(random() * 4);
          for (let rep = 0; rep < reps; rep++) {
            let [over, under] = [0, 0];
            const images = 1 + Math.floor(random() * 3);
            for (let image = 0; image < images; image++) {
              const objects = 1 + Math.floor(random() * 9);
              const total = random() * 100 * objects;
              all.push(part(condition, [`d${donor}`, `r${rep}`], total, objects));
              over += total;
              under += objects;
            }
            sum += over / under;
          }
          expected.set(`${condition} d${donor}`, sum / reps);
        }
      const { replicates } = replicatesOf(all, { mean: 'objects', technical: 1 });
      assert.equal(replicates.length, 2 * donors);
      for (const { condition, name, value } of replicates)
        assertClose(value, expected.get(`${condition} ${name.join()}`), `study ${study}`);
    }
  });
});
