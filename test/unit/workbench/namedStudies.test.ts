import assert from 'node:assert/strict';
import { type ImageOfText, matchBackgroundImage, matchImages } from '../../../src/archives/imageCatalog';
import { columnsOfValues } from '../../../src/conditions/givenColumns';
import { joinSheet } from '../../../src/conditions/sampleSheet';
import { withStored } from '../../../src/conditions/storedImages';
import { compareRun } from '../../../src/jobs/node/accountRuns';
import { pairImages } from '../../../src/matching/node/imagePairing';
import { randomNumbers } from '../randomNumbers';

const FIRST = Number(process.env['IA_FIRST_STUDY'] ?? 1);
const COUNT = Number(process.env['IA_STUDIES'] ?? (process.env['IA_FULL'] ? 1000 : 300));

/** An image of a study: its folders and its name. The same object is the same image. */
interface Place {
  folders: readonly string[];
  stem: string;
}

/** What a list calls an image, and all images of the study that are called so there. */
interface Named {
  places: readonly Place[];
  name: string;
}

type Random = ReturnType<typeof randomNumbers>;

const pathOf = ({ folders, stem }: Place) => [...folders, `${stem}.tif`].join('/');

/** How results and other tools call images: all those of a list alike. */
const STYLES: Record<string, (place: Place) => string> = {
  whole: pathOf,
  'below a folder': place => `study 7/raw/${pathOf(place)}`,
  'on Windows': place => `D:\\Data\\${pathOf(place).replaceAll('/', '\\')}`,
  'without the first folder': ({ folders, stem }) => pathOf({ folders: folders.slice(1), stem }),
  'of the last folder': ({ folders, stem }) => pathOf({ folders: folders.slice(-1), stem }),
  bare: ({ stem }) => `${stem}.tif`,
};

/** What people make of a path. */
const PEOPLE: ((path: string) => string)[] = [
  path => path,
  path => path.replace(/\.tif$/, ''),
  path => path.replace(/\.tif$/, '.ome.czi'),
  path => path.toUpperCase(),
  path => path.replace(/\.tif$/, '').toLowerCase(),
];

/** What tools make of the name of an image for their labels. */
const TOOLS = [
  '_masks.png',
  '_cp_masks.tif',
  '-labels.tif',
  '_label.png',
  '.tif.geojson',
  '_RoiSet.zip',
  '.tif',
];

class Study {
  readonly places: Place[];

  constructor(private readonly random: Random) {
    const folders = this.one([
      [[]],
      [['control'], ['treated']],
      [[], ['control'], ['treated']],
      [
        ['d1', 'control'],
        ['d1', 'treated'],
        ['d2', 'control'],
        ['d2', 'treated'],
      ],
      [['Pl\u00e4tte 1'], ['Pl\u00e4tte 2'], ['Pl\u00e4tte 3']],
      [['control'], ['d1', 'control'], ['x', 'd1', 'control']],
    ]);
    const stems = this.one([
      ['A01', 'A02', 'B01', 'B02', 'C12'],
      ['dose_1', 'dose_1.5', 'dose_10', 'dose_0.5', 'dose_5'],
      ['K\u00f6rper 1', 'K\u00f6rper 2', 'K\u00f6rper 10', 'Zelle.a', 'Zelle.b'],
      ['img_1', 'img_2', 'img_10', 'img_1_masks', 'mask'],
    ]);
    // Either each folder has the same names, as plates do, or all names are different.
    const areRepeated = this.random() < 0.7;
    this.places = folders.flatMap((of, at) =>
      stems.map(stem => ({ folders: of, stem: areRepeated ? stem : `s${at}${stem}` })),
    );
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)] as T;
  }

  /** Some of the places, in any order, called in one way. */
  list(places: readonly Place[] = this.places): Named[] {
    // Where folders are within folders of the same name, paths without their first are others' whole paths: nobody can tell.
    const areNested = places.some(({ folders }) => folders[0] === 'x');
    const nameOf = STYLES[this.one(Object.keys(STYLES).slice(0, areNested ? 3 : undefined))] ?? pathOf;
    const form = this.one(['NFC', 'NFD'] as const);
    const missing = this.one([0, 0.1, 0.3]);
    const all = new Map<string, Place[]>();
    for (const place of places) {
      const name = nameOf(place).normalize(form);
      all.set(name, [...(all.get(name) ?? []), place]);
    }
    return [...all]
      .filter(() => this.random() >= missing)
      .map(([name, of]) => ({ places: of, name, at: this.random() }))
      .sort((a, b) => a.at - b.at);
  }
}

const namesOf = (list: readonly Named[]) => list.map(({ name }) => name);
const baseOf = (path: string) => path.replace(/^.*[\\/]/, '');

/** Whether both lists call the same images so. */
function areSame(one: Named, other: Named | undefined): boolean {
  return (
    other?.places.length === one.places.length && one.places.every(place => other.places.includes(place))
  );
}

function eachStudy(ask: (study: Study) => void): void {
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) ask(new Study(randomNumbers(seed)));
}

function paired(texts: readonly string[], images: readonly string[], format: 'archive' | 'folder'): number[] {
  const side = (names: readonly string[], of: string, as: typeof format) => ({
    format: as,
    images: names.map((path, at) => ({ id: `${of}${at}`, path })),
  });
  const found = texts.map(() => -1);
  const { pairs } = pairImages(side(texts, 'a', 'archive'), side(images, 'b', format));
  for (const { a, b } of pairs) found[a] = b;
  return found;
}

/** What each of those who want to know says that the texts mean: the position of the image, −1 where it is open. */
const ASKERS = {
  links: (texts: readonly string[], images: readonly string[]) =>
    positions(
      matchImages(
        texts,
        images.map(filename => ({ id: '', filename })),
      ),
    ),
  pairs: (texts: readonly string[], images: readonly string[]) => paired(texts, images, 'archive'),
  sheets: (texts: readonly string[], images: readonly string[]) => {
    const rows = texts.map((text, at) => [text, `v${at}`]);
    const { columns } = joinSheet(
      { header: ['Image', 'Value'], rows },
      { images, columns: [] },
      { key: { column: 0, names: 'images' } },
    );
    return byValue(texts, columns[0]?.values ?? []);
  },
  programs: (texts: readonly string[], images: readonly string[]) => {
    const values = Object.fromEntries(texts.map((text, at) => [text, `v${at}`]));
    const { columns } = columnsOfValues({ value: values }, { images, columns: [] }, []);
    return byValue(texts, columns[0]?.values ?? []);
  },
};

function positions(found: readonly ImageOfText[]): number[] {
  return found.map(image => (typeof image === 'number' ? image : -1));
}

/** The image that has the value of each text. */
function byValue(texts: readonly string[], values: readonly string[]): number[] {
  return texts.map((_, at) => values.indexOf(`v${at}`));
}

describe('studies whose images have names alone', function () {
  this.timeout(120_000);
  const open = new Map<string, { of: number; certain: number }>();
  const count = (who: string, isCertain: boolean) => {
    const sums = open.get(who) ?? { of: 0, certain: 0 };
    open.set(who, sums);
    sums.of++;
    if (isCertain) sums.certain++;
  };
  after(() => {
    console.log(`      certain in ${COUNT} studies, of images that are in both lists; the others are open:`);
    for (const [who, { of, certain }] of open) console.log(`        ${who}: ${certain} of ${of}`);
  });

  /** Compares what is said with the truth; returns what is wrong. */
  function judge(who: string, found: readonly number[], texts: readonly Named[], images: readonly Named[]) {
    return texts.flatMap(({ places, name }, at) => {
      const image = found[at] ?? -1;
      if (images.some(each => areSame({ places, name }, each))) count(who, image >= 0);
      return image < 0 || areSame({ places, name }, images[image])
        ? []
        : [`${who}: ${name} as ${images[image]?.name}`];
    });
  }

  it('have no image taken for another by anybody, and all say the same', () => {
    const wrong: string[] = [];
    const different: string[] = [];
    eachStudy(study => {
      const [texts, images] = [study.list(), study.list()];
      const [names, paths] = [namesOf(texts), namesOf(images)];
      const [first, ...others] = Object.entries(ASKERS).map(([who, ask]) => ({
        who,
        found: ask(names, paths),
      }));
      wrong.push(...judge('links', first?.found ?? [], texts, images));
      for (const { who, found } of others) {
        wrong.push(...judge(who, found, texts, images));
        if (found.join() !== first?.found.join())
          different.push(`${who}: ${found.join()} of ${names.join()}`);
      }
    });
    assert.deepEqual(wrong.slice(0, 30), [], `${wrong.length} wrong`);
    assert.deepEqual(different.slice(0, 10), [], `${different.length} different`);
  });

  it('have nothing said of another image by people, who write names otherwise', () => {
    const wrong: string[] = [];
    eachStudy(study => {
      const write = study.one(PEOPLE);
      const texts = study.list().map(({ places, name }) => ({ places, name: write(name) }));
      const images = study.list();
      const sheet = ASKERS.sheets(namesOf(texts), namesOf(images));
      const program = ASKERS.programs(namesOf(texts), namesOf(images));
      wrong.push(...judge('sheets by people', sheet, texts, images));
      assert.deepEqual(program, sheet);
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });

  it("have no image compared with another's labels, as tools call them", () => {
    const wrong: string[] = [];
    eachStudy(study => {
      // A name that ends as labels do is one's own where nothing is put behind it.
      const hasEnd = study.places.some(({ stem }) => stem.endsWith('_masks'));
      const suffix = study.one(TOOLS.slice(0, hasEnd ? -1 : undefined));
      const [texts, images] = [study.list(), study.list()];
      const labels = namesOf(images).map(name => name.replace(/\.tif$/, suffix));
      wrong.push(...judge(`labels ${suffix}`, paired(namesOf(texts), labels, 'folder'), texts, images));
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });

  it('have the values of no other image when they are stored, nor another one missing in a job', () => {
    const wrong: string[] = [];
    eachStudy(study => {
      const [texts, images] = [study.list(), study.list()];
      const paths = namesOf(images);
      const values = Object.fromEntries(paths.map((path, at) => [path, [String(at)]]));
      const { columns } = withStored(namesOf(texts), { columns: [{ name: 'Value' }], values, excluded: {} });
      // What is stored under the very name that is listed is of that entry.
      const found = (columns[0]?.values ?? []).map((value, at) =>
        value === '' || Object.hasOwn(values, texts[at]?.name ?? '') ? -1 : Number(value),
      );
      wrong.push(...judge('stored', found, texts, images));
      const items = paths.map((name, at) => ({ id: `id${at}`, name }));
      const outcome = compareRun(items, { aggregate: namesOf(texts), archive: [] });
      let step = outcome.next();
      while (step.done !== true) step = outcome.next();
      for (const id of step.value.compared ? step.value.withoutResult : []) {
        const image = images[Number(id.slice(2))];
        if (texts.some(text => areSame(text, image))) wrong.push(`jobs: ${image?.name}`);
      }
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });

  it('have no file of another image beneath their masks, where all files are there', () => {
    const wrong: string[] = [];
    eachStudy(study => {
      const texts = study.list();
      const images = study.places.map(place => ({ places: [place], name: `/home/${pathOf(place)}` }));
      const found = texts.map(({ name }) => {
        const match = matchBackgroundImage({ filename: baseOf(name), origin: name }, namesOf(images));
        return match.by === 'path' ? match.index : -1;
      });
      wrong.push(...judge('backgrounds', found, texts, images));
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });

  it('have the values of no other plate', () => {
    const wrong: string[] = [];
    eachStudy(study => {
      const plates = ['Pl\u00e4tte 1', 'Pl\u00e4tte 2', 'Pl\u00e4tte 3'];
      const form = study.one(['NFC', 'NFD'] as const);
      const spelled = study.one([(plate: string) => plate.toUpperCase(), (plate: string) => plate.slice(-1)]);
      const some = (of: readonly string[]) => of.filter(() => study.one([true, true, false]));
      const wells = ['A01', 'A02', 'H12'];
      const rows = some(plates).flatMap(plate =>
        some(wells).map(well => [spelled(plate).normalize(form), well, `${plate} ${well}`]),
      );
      const images = some(plates).flatMap(plate => some(wells).map(well => `raw/${plate}/x_${well}.tif`));
      if (rows.length === 0 || new Set(images.map(image => image.split('/')[1])).size < 2) return;
      const { columns } = joinSheet(
        { header: ['Plate', 'Well', 'Value'], rows },
        { images, columns: [] },
        { by: 'Well' },
      );
      const values = columns.find(({ name }) => name === 'Value')?.values ?? [];
      images.forEach((image, at) => {
        const value = values[at] ?? '';
        count('wells', value !== '');
        if (value !== '' && `raw/${value.replace(/ (?=.{3}$)/, '/x_')}.tif` !== image)
          wrong.push(`${image}: ${value}`);
      });
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });
});
