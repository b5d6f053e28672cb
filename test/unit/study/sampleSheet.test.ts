import { strict as assert } from 'node:assert';
import { isCoded } from '../../../src/base/errors';
import type { ImageColumns } from '../../../src/study/imageColumns';
import { columnsOfSheet, editsOfMatched } from '../../../src/study/givenColumns';
import { applyEdits, cellChanges } from '../../../src/study/imageEdits';
import { joinSheet, writtenSheet } from '../../../src/study/sampleSheet';
import type { SampleSheet } from '../../../src/study/sheetKey';
import { randomNumbers } from '../randomNumbers';

const images = ['control/d1_s1.tif', 'control/d2_s1.tif', 'treated/d1_s1.tif'];

function known(over: Partial<ImageColumns> = {}): ImageColumns {
  return { images, columns: [], excluded: [], ...over };
}

function sheet(header: string, ...rows: string[]): SampleSheet {
  return { header: header.split(','), rows: rows.map(row => row.split(',')) };
}

describe('A sample sheet', () => {
  it('is joined by paths, whichever is longer', () => {
    const joined = joinSheet(
      sheet('Donor,File,Dose', 'A,/data/control/d1_s1.tif,0', 'B,control/d2_s1.tif,0', 'C,d1_s1.tif,10'),
      known(),
    );
    assert.deepEqual(joined.key, { column: 1, names: 'images' });
    assert.deepEqual(joined.columns, [
      { name: 'Donor', values: ['A', 'B', ''], role: 'replicate' },
      { name: 'Dose', values: ['0', '0', ''], role: 'condition', isNumeric: true },
    ]);
    assert.deepEqual(joined.rows, [{ row: 2, text: 'd1_s1.tif', why: 'several-images' }]);
    assert.deepEqual(joined.images, [2]);
  });

  it('says which rows name their image otherwise than by its path, and how', () => {
    const joined = joinSheet(
      sheet('File,Group', 'CONTROL/D1_S1.TIF,x', 'control/d2_s1.tif,x', 'raw/treated/d1_s1.czi,y', 'no,z'),
      known(),
    );
    assert.deepEqual(joined.spelled, [
      { row: 0, text: 'CONTROL/D1_S1.TIF', image: 0, by: ['case'] },
      { row: 2, text: 'raw/treated/d1_s1.czi', image: 2, by: ['folders', 'extension'] },
    ]);
    // A row that is left out says nothing of how it is written.
    const twice = joinSheet(sheet('File,Group', 'CONTROL/d1_s1.tif,x', 'control/D1_s1.tif,y'), known());
    assert.deepEqual([twice.rows.length, twice.spelled], [2, []]);
    assert.deepEqual(columnsOfSheet(joined, known()).spelled[0], {
      ...{ row: 0, text: 'CONTROL/D1_S1.TIF', image: images[0], by: ['case'] },
    });
  });

  it('is joined by names without extension where nothing else fits', () => {
    const joined = joinSheet(sheet('name,Group', 'control/d2_s1.czi,x', 'd9_s1.czi,y'), known());
    assert.deepEqual(joined.columns[0]?.values, ['', 'x', '']);
    assert.deepEqual(joined.rows, [{ row: 1, text: 'd9_s1.czi', why: 'no-image' }]);
    // Of a dose with a decimal, what follows the dot is no extension.
    const doses = known({ images: ['dose_1.tif', 'dose_2.5.tif'] });
    const dosed = joinSheet(sheet('name,Group', 'dose_1.5,x', 'dose_2.5,y'), doses);
    assert.deepEqual(dosed.columns[0]?.values, ['', 'y']);
  });

  it('is not joined by a name without its folder where names occur again', () => {
    const joined = joinSheet(sheet('File,Group', 'control/d1_s1.tif,x', 'd2_s1.tif,y'), known());
    assert.deepEqual(joined.columns[0]?.values, ['x', '', '']);
    assert.deepEqual(joined.rows, [{ row: 1, text: 'd2_s1.tif', why: 'several-images' }]);
  });

  it('is joined by whole paths where another path ends alike', () => {
    const alike = ['a.tif', 'x/a.tif', 'b/c.tif', 'x/b/c.tif'];
    const joined = joinSheet(
      sheet('Image,Drug', ...alike.map((path, at) => `${path},d${at}`)),
      known({ images: alike }),
    );
    assert.deepEqual(joined.columns[0]?.values, ['d0', 'd1', 'd2', 'd3']);
    assert.deepEqual(joined.rows, []);
  });

  it('is joined by paths of Windows, and regardless of case where that tells one image', () => {
    const some = ['control/d1_s1.tif', 'control/x.tif', 'control/X.tif'];
    const joined = joinSheet(
      sheet('File,Drug', 'C:\\Data\\Control\\D1_S1.TIF,a', 'control\\X.tif,b', 'CONTROL/x.TIF,c'),
      known({ images: some }),
    );
    assert.deepEqual(joined.columns[0]?.values, ['a', '', 'b']);
    assert.deepEqual(joined.rows, [{ row: 2, text: 'CONTROL/x.TIF', why: 'several-images' }]);
  });

  it('of a whole laboratory is joined, wherever the rows of these images are in it', () => {
    const others = Array.from({ length: 60_000 }, (_, at) => `plate${at}.tif,o,${at}`);
    const joined = joinSheet(
      sheet('Slide,Drug,Number', ...others, `${images[1]},x,1`, ...others.slice(0, 100)),
      known(),
    );
    assert.deepEqual(joined.columns[0]?.values, ['', 'x', '']);
  });

  it('is joined by wells, each of which has several images', () => {
    const wells = { images: ['p_A01_s1.tif', 'p_A01_s2.tif', 'p_B02_s1.tif', 'overview.tif'] };
    const joined = joinSheet(sheet('Well,Drug', 'a1,-Dox', 'B2,+IL2', 'C3,x'), known(wells));
    assert.deepEqual(joined.key, { column: 0, names: 'wells' });
    assert.deepEqual(joined.columns, [{ name: 'Drug', values: ['-Dox', '-Dox', '+IL2', ''] }]);
    assert.deepEqual(joined.rows, [{ row: 2, text: 'C3', why: 'no-image' }]);
    assert.deepEqual(joined.images, [3]);
  });

  it('tells the wells of several plates apart', () => {
    const plates = known({
      images: ['1', '2'],
      columns: [
        { name: 'Plate', values: ['P1', 'P2'], role: 'plate' },
        { name: 'Well', values: ['A1', 'A1'], role: 'well' },
      ],
    });
    const joined = joinSheet(sheet('plate,well,Drug', 'p1,A01,x', 'p2,A01,y'), plates);
    assert.deepEqual(joined.columns, [{ name: 'Drug', values: ['x', 'y'] }]);
  });

  it('tells the wells of several plates apart by folders where images have no column of plates', () => {
    const images = ['Plate 1/x_A01_1.tif', 'Plate 1/x_A01_2.tif', 'Plate 2/x_A01_1.tif'];
    const joined = joinSheet(
      sheet('Plate,Well,Drug', 'plate 1,A1,x', 'PLATE 2,A1,y', 'Plate 3,A1,z'),
      known({ images }),
    );
    assert.deepEqual(
      joined.rows.map(({ row, why: why }) => [row, why]),
      [[2, 'no-image']],
    );
    assert.deepEqual(
      joined.columns.map(({ name, values }) => [name, ...values]),
      [
        ['Plate', 'plate 1', 'plate 1', 'PLATE 2'],
        ['Drug', 'x', 'x', 'y'],
      ],
    );
    const numbers = joinSheet(sheet('Plate,Well,Drug', '1,A1,x', '2,A1,y'), known({ images }));
    assert.deepEqual(
      numbers.rows.map(({ why: why }) => why),
      ['several-images', 'several-images'],
    );
    // What is said of one plate isn't taken for another, however its accents are written.
    for (const [plate, folder] of [
      ['Plate 2', 'Plate 2'],
      ['Pl\u00e4tte', 'Pla\u0308tte'],
      ['Pla\u0308tte', 'Pl\u00e4tte'],
    ] as const) {
      const some = joinSheet(
        sheet('Plate,Well,Drug', `${plate},A1,x`),
        known({ images: ['Plate 1/A01.tif', `${folder}/A01.tif`] }),
      );
      assert.deepEqual(some.columns.at(-1)?.values, ['', 'x']);
    }
    const third = joinSheet(sheet('Plate,Well,Drug', 'Plate 3,A1,x'), known({ images }));
    assert.deepEqual(third.columns.at(-1)?.values, ['', '', '']);
    const only = joinSheet(
      sheet('Plate,Well,Drug', 'Plate 3,A1,x'),
      known({ images: ['A01.tif', 'A02.tif'] }),
    );
    assert.deepEqual(only.columns.at(-1)?.values, ['x', '']);
  });

  it('has its header where a title and blank rows are above it', () => {
    for (const above of [[',,'], ['# Plate 7,,', ',,'], ['My experiment']]) {
      const [first = '', ...others] = [...above, 'Image,Drug,', `${images[0]},x,`, 'other.tif,y,'];
      const joined = joinSheet(sheet(first, ...others), known());
      assert.deepEqual(joined.header, ['Image', 'Drug', '']);
      assert.deepEqual(joined.columns, [{ name: 'Drug', values: ['x', '', ''] }]);
      assert.deepEqual(
        joined.rows.map(({ row }) => row),
        [1],
      );
    }
    const unnamed = joinSheet(sheet('Image,', `${images[0]},x`), known());
    assert.deepEqual(unnamed.columns, [{ name: 'Column 2', values: ['x', '', ''] }]);
  });

  it('may have no header: its first row is one of images then', () => {
    const joined = joinSheet(sheet(`${images[0]},x`, `${images[1]},y`), known());
    assert.deepEqual(joined.header, ['', '']);
    assert.deepEqual(joined.columns, [{ name: 'Column 2', values: ['x', 'y', ''] }]);
    const wells = joinSheet(sheet('A1,x', 'A02,y'), known({ images: ['p_A01.tif', 'p_A02.tif'] }));
    assert.deepEqual(wells.columns[0]?.values, ['x', 'y']);
    const named = joinSheet(sheet('Image,Drug', 'image,x'), known({ images: ['image.tif'] }));
    assert.deepEqual(named.columns, [{ name: 'Drug', values: ['x'] }]);
  });

  it('tells which rows of its file the header is where that is not the first row alone, which can be said instead', () => {
    const rows = ['d1_s1,2', 'd2_s1,3', 'control/d1_s1.tif,4'];
    const headerOf = (read: SampleSheet, how?: Parameters<typeof joinSheet>[2]) => {
      const { headerRows, isHeaderGiven, columns } = joinSheet(read, known(), how);
      return [headerRows, isHeaderGiven, columns.map(({ name }) => name)];
    };
    const plain = sheet('Image,Dose', ...rows);
    const titled = sheet('My plate', 'Image,Dose', ...rows);
    const bare = sheet('control/d2_s1.tif,1', ...rows);
    assert.deepEqual(headerOf(plain), [undefined, undefined, ['Dose']]);
    assert.deepEqual(headerOf(titled), [{ skipped: 1, rows: 1 }, undefined, ['Dose']]);
    assert.deepEqual(headerOf(bare), [{ skipped: 0, rows: 0 }, undefined, ['Column 2']]);
    const below = { headerRows: { skipped: 2, rows: 1 } };
    assert.deepEqual(headerOf(plain, below), [{ skipped: 2, rows: 1 }, undefined, ['Dose']]);
    assert.deepEqual(headerOf(titled, below), [{ skipped: 3, rows: 1 }, undefined, ['Dose']]);
    assert.deepEqual(headerOf(bare, below), [{ skipped: 2, rows: 0 }, undefined, ['Column 2']]);
    const given = { headerRows: { skipped: 0, rows: 1 }, isHeaderGiven: true };
    assert.deepEqual(headerOf(plain, given), [undefined, true, ['Dose']]);
    assert.deepEqual(headerOf(titled, given), [undefined, true, ['Column 2']]);
    assert.deepEqual(headerOf(bare, given), [undefined, true, ['1']]);
  });

  it('gives an image named twice no value, unless both rows say the same', () => {
    const joined = joinSheet(
      sheet('Image,Drug', `${images[0]},x`, `${images[0]},y`, `${images[1]},z`, `${images[1]},z`),
      known(),
    );
    assert.deepEqual(joined.columns[0]?.values, ['', 'z', '']);
    assert.deepEqual(
      joined.rows.map(({ row, why: why }) => [row, why]),
      [
        [0, 'twice'],
        [1, 'twice'],
      ],
    );
    assert.deepEqual(joined.images, [0, 2]);
  });

  it('keeps a column called as one of the table apart', () => {
    const joined = joinSheet(sheet('Image,Area,,area', `${images[0]},1,,2`), known(), { taken: ['Area'] });
    assert.deepEqual(
      joined.columns.map(({ name }) => name),
      ['Area (image)', 'area (image 2)'],
    );
    assert.deepEqual(joined.renamed, [
      { from: 'Area', to: 'Area (image)' },
      { from: 'area', to: 'area (image 2)' },
    ]);
  });

  it('lists all its rows where it names no image, and is refused without a column that could', () => {
    const joined = joinSheet(sheet('Image,Drug', 'x.tif,1'), known());
    assert.equal(joined.rows.length, 1);
    assert.equal(joined.images.length, 3);
    assert.throws(
      () => joinSheet(sheet('a,b', '1,2'), known()),
      error =>
        isCoded(error, 'bad-request') &&
        error.details.reason?.message === 'None of its columns names the images or their wells',
    );
    assert.throws(() => joinSheet(sheet('', ''), known({ images: [] })));
  });

  it('is refused whole for a value that is too long, which it names', () => {
    assert.throws(
      () => joinSheet(sheet('Image,Drug', `${images[1]},${'x'.repeat(1001)}`), known()),
      error => isCoded(error) && error.details.reason?.args.join() === `${images[1]},1001`,
    );
  });

  it('of 100,000 rows is joined at once', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `f${at % 100}/image${at}.tif`);
    const rows = many.map((path, at) => [path, `d${at % 7}`]);
    const joined = joinSheet({ header: ['File', 'Donor'], rows }, known({ images: many }));
    assert.equal(joined.images.length + joined.rows.length, 0);
    assert.equal(joined.columns[0]?.values[99_999], `d${99_999 % 7}`);
  });

  it('that was written is joined again as it was', () => {
    const columns = known({
      columns: [
        { name: 'Treatment', values: ['-Dox', '+IL2', '=1+1'], role: 'condition' },
        { name: 'Sample', values: ['007', '1e5', ''] },
      ],
      excluded: [{ image: 1, reason: 'Out of focus, "again"' }],
    });
    const written = writtenSheet(columns);
    assert.deepEqual(written.rows[0], ['control/d1_s1.tif', '-Dox', '007', '']);
    const joined = joinSheet(written, known());
    assert.deepEqual(joined.columns, columns.columns);
    assert.deepEqual(
      joined.excluded.filter(({ reason }) => reason !== ''),
      columns.excluded,
    );
    assert.deepEqual([joined.rows, joined.images, joined.renamed], [[], [], []]);
  });

  it('that was joined again with emptied cells gives what it says, as if it were the first', () => {
    const first = sheet(
      'Image,Condition,ExcludedBecause',
      `${images[0]},a,blurred`,
      `${images[1]},a,`,
      `${images[2]},b,`,
    );
    const second = sheet(
      'Image,Condition,ExcludedBecause',
      `${images[0]},a,`,
      `${images[1]},,`,
      `${images[2]},c,`,
    );
    const joined = apply(known(), first);
    const { edits, after } = editsOf(joined, second);
    assert.deepEqual(
      after.columns.map(({ values }) => values),
      [['a', '', 'c']],
    );
    assert.deepEqual(after.excluded, []);
    assert.deepEqual(cellChanges(joined, edits), {
      set: 0,
      changed: 1,
      emptied: 2,
      cells: [
        { image: 1, column: 'Condition', from: 'a', to: '' },
        { image: 2, column: 'Condition', from: 'b', to: 'c' },
        { image: 0, from: 'blurred', to: '' },
      ],
    });
  });

  it('says nothing of images and columns that it does not have', () => {
    const joined = apply(
      known(),
      sheet('Image,Drug,Note,ExcludedBecause', `${images[0]},x,n,bad`, `${images[1]},y,m,`),
    );
    const after = apply(joined, sheet('Image,Drug', `${images[1]},`));
    assert.deepEqual(
      after.columns.map(({ name, values }) => [name, values.join()]),
      [
        ['Drug', 'x,,'],
        ['Note', 'n,m,'],
      ],
    );
    assert.deepEqual(after.excluded, [{ image: 0, reason: 'bad' }]);
  });

  it('that was saved, edited at random and joined again gives what it says, in 300 studies', () => {
    const random = randomNumbers(25);
    const values = ['', 'a', 'b ', '007', '1,5', '=1+1', '-Dox', 'é', '"x"', '1.tif'];
    const one = () => values[Math.floor(random() * values.length)] ?? '';
    const names = ['Treatment', 'Donor', 'File', 'Well', 'Note', 'Image no'];
    for (let study = 0; study < 300; study++) {
      const count = 2 + Math.floor(random() * 6);
      const paths = Array.from({ length: count }, (_, at) => `${at % 2 ? 'x/' : ''}${at + 1}.tif`);
      const before = known({
        images: paths,
        columns: names
          .filter(() => random() < 0.6)
          .map(name => ({ name, values: paths.map(() => one().trim()) })),
        excluded: paths.flatMap((_, image) => (random() < 0.3 ? [{ image, reason: 'bad' }] : [])),
      });
      const { header, rows } = writtenSheet(before);
      const edited = rows.map(row => row.map((cell, at) => (at > 0 && random() < 0.3 ? one() : cell)));
      const { after } = editsOf(before, { header, rows: edited });
      header.slice(1).forEach((name, at) => {
        const wanted = edited.map(row => (row[at + 1] ?? '').trim());
        const found = after.columns.find(column => column.name === name)?.values;
        const reasons = paths.map(
          (_, image) => after.excluded.find(each => each.image === image)?.reason ?? '',
        );
        assert.deepEqual(found ?? reasons, wanted, `study ${study}, ${name}`);
      });
    }
  });
});

function editsOf(before: ImageColumns, read: SampleSheet) {
  const given = columnsOfSheet(joinSheet(read, before), before);
  const edits = editsOfMatched(before, given, {}, []);
  return { edits, after: applyEdits(before, edits).columns };
}

const apply = (before: ImageColumns, read: SampleSheet) => editsOf(before, read).after;
