import { strict as assert } from 'node:assert';
import { isCoded } from '../../../src/base/errors';
import { columnsOfSheet } from '../../../src/study/givenColumns';
import { joinSheet } from '../../../src/study/sampleSheet';
import type { SampleSheet } from '../../../src/study/sheetKey';
import { randomNumbers } from '../randomNumbers';

function sheet(header: string, ...rows: string[]): SampleSheet {
  return { header: header.split(','), rows: rows.map(row => row.split(',')) };
}

const known = (images: string[]) => ({ images, columns: [], excluded: [] });
const NUMBERED = known(['1.tif', '2.tif', '3.tif', '4.tif']);

describe('The column by which a sheet is joined', () => {
  it('is the one that is titled so, where another one names more images by chance', () => {
    const joined = joinSheet(
      sheet('Image,Donor,Treatment', '1.tif,2,ctrl', '2.tif,1,drug', '3.tif,4,ctrl', 'four.tif,3,drug'),
      NUMBERED,
    );
    assert.deepEqual([joined.key, joined.rivals], [{ column: 0, names: 'images' }, []]);
    assert.deepEqual(joined.columns[1]?.values, ['ctrl', 'drug', 'ctrl', '']);
    assert.deepEqual(
      joined.rows.map(({ text }) => text),
      ['four.tif'],
    );
  });

  it('is a titled one whatever its title is called, and in whatever place', () => {
    for (const title of [
      'File',
      'file_name',
      'ImagePath',
      'Raw image',
      'Path',
      'image',
      'Filename',
      'Image ID',
    ]) {
      const joined = joinSheet(sheet(`Donor,${title}`, '2,1.tif', '1,2.tif', '4,3', '3,x.tif'), NUMBERED);
      assert.deepEqual([joined.key.column, joined.rivals], [1, []], title);
    }
    const wells = known(['1_A01.tif', '2_A02.tif', '3_A03.tif']);
    const joined = joinSheet(sheet('Donor,Well', '1_A01,A02', '2_A02,A01', '3_A03,Z99'), wells);
    assert.deepEqual([joined.key, joined.rivals], [{ column: 1, names: 'wells' }, []]);
  });

  it('is open where two columns of equal titles name different images', () => {
    for (const [header, rivals] of [
      ['Donor,Slide', [1]],
      ['Image,File', [1]],
      // A number of images is none of an image.
      ['Image count,Slide', [1]],
    ] as const) {
      const joined = joinSheet(sheet(header, '2,1.tif', '1,2.tif', '4,3.tif', '3,4.tif'), NUMBERED);
      assert.deepEqual(
        [joined.key.column, ...joined.rivals].sort((a, b) => a - b),
        [0, ...rivals],
        header,
      );
    }
    const same = joinSheet(sheet('Name,Stem,Drug', '1.tif,1,a', '2.tif,2,b'), NUMBERED);
    assert.deepEqual(same.rivals, []);
  });

  it('is open where the titled one names none, and numbers name some', () => {
    const joined = joinSheet(sheet('Image,Donor', 'one.tif,2', 'two.tif,1'), NUMBERED);
    assert.deepEqual([joined.key.column, joined.rivals], [1, [0]]);
  });

  it('is refused to a program as long as it is open, which can say it', () => {
    const twofold = sheet('Donor,Slide', '2,1.tif', '1,2.tif', '4,3.tif', '3,4.tif');
    assert.throws(
      () => columnsOfSheet(joinSheet(twofold, NUMBERED), NUMBERED),
      error =>
        isCoded(error, 'bad-request') &&
        error.details.reason?.message ===
          'Several columns of the sheet could name the images: {0}. Say which does' &&
        error.details.reason.args.join() === 'Donor, Slide',
    );
    for (const by of ['slide', 1]) {
      const { joinedBy, columns } = columnsOfSheet(joinSheet(twofold, NUMBERED, { by }), NUMBERED);
      assert.deepEqual(joinedBy, { column: 'Slide', names: 'images' });
      assert.deepEqual(columns[0]?.values, ['2', '1', '4', '3']);
    }
    assert.throws(
      () => joinSheet(twofold, NUMBERED, { by: 'Image' }),
      error =>
        isCoded(error, 'bad-request') && error.details.reason?.message === 'The sheet has no column "{0}"',
    );
  });

  it('is never another one than is meant without a word, in a thousand random studies', () => {
    const random = randomNumbers(23);
    const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const shuffled = <T>(of: readonly T[]) =>
      of
        .map(value => ({ value, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value);
    let open = 0;
    for (let study = 0; study < 1000; study++) {
      const count = 2 + Math.floor(random() * 8);
      const numbers = Array.from({ length: count }, (_, at) => String(at + 1));
      const images = numbers.map(number => `${one(['', 'a/'])}${number}${one(['.tif', '.ome.tif'])}`);
      // The image of each row, with typing errors, and other columns of numbers.
      const truth = shuffled([...images.keys()]);
      const named = truth.map(at => {
        if (at > 0 && random() < 0.2) return `typo${at}.tif`;
        return one([images[at] ?? '', (images[at] ?? '').replace('a/', ''), numbers[at] ?? '']);
      });
      const others = ['Donor', 'Age', 'Source', 'Image count'].slice(0, 1 + Math.floor(random() * 4));
      const title = one(['Image', 'File', 'image path', 'Slide', 'Name', '']);
      const columns = shuffled([
        { title, cells: named },
        ...others.map(other => ({ title: other, cells: shuffled(numbers) })),
        { title: 'Treatment', cells: truth.map(at => `t${at}`) },
      ]);
      const {
        columns: given,
        rivals,
        rows,
      } = joinSheet(
        {
          header: columns.map(column => column.title),
          rows: truth.map((_, row) => columns.map(({ cells }) => cells[row] ?? '')),
        },
        known(images),
      );
      if (rivals.length > 0) {
        open++;
        continue;
      }
      const values = given.find(({ name }) => name === 'Treatment')?.values ?? [];
      assert.ok(rows.length < truth.length);
      values.forEach((value, at) => assert.ok(value === '' || value === `t${at}`, `study ${study}`));
    }
    // Where a title says which column it is, nobody is asked.
    assert.ok(open < 600, String(open));
  });
});
