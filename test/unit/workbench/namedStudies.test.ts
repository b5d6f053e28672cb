import assert from 'node:assert/strict';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ImageOfText, matchBackgroundImage, matchImages } from '../../../src/archives/imageCatalog';
import { haveOtherSizes, resolveTexts } from '../../../src/archives/imageIdentity';
import { CodedError } from '../../../src/base/errors';
import { finish } from '../../../src/base/steps';
import { columnsOfValues } from '../../../src/study/givenColumns';
import { joinSheet } from '../../../src/study/sampleSheet';
import { withStored } from '../../../src/study/storedImages';
import { compareRun } from '../../../src/jobs/node/accountRuns';
import type { OpenedBackgroundImage } from '../../../src/images/backgroundImageInfo';
import {
  BackgroundImageFinder,
  type BackgroundFile,
  type UploadedImage,
} from '../../../src/linking/node/backgroundImageFinder';
import { pairImages } from '../../../src/comparison/node/imagePairing';
import { randomNumbers } from '../randomNumbers';

const FIRST = Number(process.env['IA_FIRST_STUDY'] ?? 1);
const COUNT = Number(process.env['IA_STUDIES'] ?? (process.env['IA_FULL'] ? 3000 : 300));

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
  path => ` ./${path} `,
  path => path.replaceAll('/', '\\').replace(/\.tif$/, '.TIFF'),
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

const baseOf = (path: string) => path.replace(/^.*[\\/]/, '');

class Study {
  readonly places: Place[];
  private readonly areRepeated: boolean;

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
    this.areRepeated = this.random() < 0.7;
    this.places = folders.flatMap((of, at) =>
      stems.map(stem => ({ folders: of, stem: this.areRepeated ? stem : `s${at}${stem}` })),
    );
  }

  /**
   * Whether no name repeats in either list, though one does in the study: nothing then shows that
   * folders are missing.
   */
  hides(...lists: readonly (readonly Named[])[]): boolean {
    const repeats = (list: readonly Named[]) => {
      const names = list.map(({ name }) => baseOf(name).normalize('NFC'));
      return new Set(names).size < names.length;
    };
    return this.areRepeated && !lists.some(repeats);
  }

  /** The size of each image: of one camera, of a camera for each folder, or of any. */
  sizes(): (place: Place | undefined) => { width: number; height: number } {
    const of = new Map<unknown, { width: number; height: number }>();
    const keyOf = this.one([() => 0, (place?: Place) => place?.folders.join('/'), (place?: Place) => place]);
    return place => {
      const key = keyOf(place);
      const size = of.get(key) ?? { width: this.one([10, 20, 30]), height: this.one([10, 20]) };
      of.set(key, size);
      return size;
    };
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)] as T;
  }

  /** Some of the places, in any order, called in one way. */
  list(places: readonly Place[] = this.places): Named[] {
    // Where folders are within folders of the same name, paths without their first are others'
    // whole paths: nobody can tell.
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
  const { pairs } = finish(pairImages(side(texts, 'a', 'archive'), side(images, 'b', format)));
  for (const { a, b } of pairs) found[a] = b;
  return found;
}

/** What each consumer says that the texts mean: the image's position, −1 where it is open. */
const ASKERS = {
  links: (texts: readonly string[], images: readonly string[]) =>
    positions(
      finish(
        matchImages(
          texts,
          images.map(filename => ({ id: '', filename })),
        ),
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
    const { columns } = finish(columnsOfValues({ value: values }, { images, columns: [] }, []));
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

/** Of a file with some content: it says whether it is larger than the image that was analyzed. */
const sizeOfContent = (content: string) => ({ width: content.endsWith('larger') ? 5 : 4, height: 4 });

/** What is found beneath masks where files have these contents. */
async function foundBackground(
  files: ReadonlyMap<string, string>,
  record: UploadedImage,
  origin: string,
): Promise<BackgroundFile> {
  const size = sizeOfContent('analyzed');
  const none = () => Promise.resolve(undefined);
  const pathOnDisk = (uri: { path: string } | string) =>
    typeof uri === 'string' ? fileURLToPath(uri) : uri.path;
  const contentOf = (path: string) => {
    const content = files.get(path);
    if (content === undefined) throw new CodedError('not-a-file', path);
    return content;
  };
  const finder = new BackgroundImageFinder(
    { key: 'k', title: 't', restore: {}, path: () => Promise.reject(new Error('unused')) },
    {
      uploadRecord: () => Promise.resolve(record),
      unchangedUploads: () => Promise.resolve(new Map()),
      workspaceFilesNamed: name =>
        Promise.resolve(
          [...files.keys()]
            .filter(path => path.endsWith(`/${name}`))
            .map(path => ({ scheme: 'file', path, fsPath: path })),
        ),
      storedChoice: none,
      storeChoice: none,
      removeChoice: none,
      selectFile: none,
    },
    {
      openBackgroundImage: path => {
        const opened = {
          backgroundImage: 1,
          ...sizeOfContent(contentOf(path)),
          name: path,
          levels: [],
          pages: [],
          notes: [],
        };
        return Promise.resolve(opened as unknown as OpenedBackgroundImage);
      },
      closeBackgroundImage: none,
      hashFile: path => Promise.resolve().then(() => ({ sha256: contentOf(path), size: 1 })),
      imageOrigin: () => Promise.resolve(origin),
      localPath: uri => Promise.resolve(pathOnDisk(uri)),
    },
  );
  const image = {
    index: 0,
    id: 'i',
    filename: baseOf(origin),
    objectCount: 0,
    classCounts: [],
    unreadableCount: 0,
  };
  return finder.find({ ...image, ...size }, new AbortController().signal);
}

describe('studies whose images have names, files and people', function () {
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
      const isHidden = study.hides(texts, images);
      if (!isHidden) wrong.push(...judge('links', first?.found ?? [], texts, images));
      for (const { who, found } of others) {
        if (!isHidden) wrong.push(...judge(who, found, texts, images));
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
      if (!study.hides(texts, images)) wrong.push(...judge('sheets by people', sheet, texts, images));
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
      if (study.hides(texts, images)) return;
      const labels = namesOf(images).map(name => name.replace(/\.tif$/, suffix));
      wrong.push(...judge(`labels ${suffix}`, paired(namesOf(texts), labels, 'folder'), texts, images));
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });

  it('have the values of no other image when they are stored, nor another one missing in a job', () => {
    const wrong: string[] = [];
    eachStudy(study => {
      const [texts, images] = [study.list(), study.list()];
      if (study.hides(texts, images)) return;
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

  it('have no image compared with one of which another file was analyzed, and all of which the same was', () => {
    const wrong: string[] = [];
    const missed: string[] = [];
    eachStudy(study => {
      // The same folders and names again on another day, as each list leaves out: other images but
      // for some that were copied.
      const copied = new Set(study.places.filter(() => study.one([true, false, false])));
      const day = (name: string) => {
        const nameOf = STYLES[study.one(['whole', 'below a folder', 'on Windows'])] ?? pathOf;
        const isRenamed = study.one([true, false, false]);
        const knows = study.one([() => true, () => study.one([true, false])]);
        const images = study.places
          .filter(() => study.one([true, true, true, false]))
          .map((place, at) => ({
            truth: copied.has(place) ? pathOf(place) : `${name} ${pathOf(place)}`,
            id: `${name}${at}`,
            path: isRenamed && copied.has(place) ? `${name}_${at}.tif` : nameOf(place),
          }));
        return images.map(image => ({ ...image, ...(knows() && { sha256: image.truth }) }));
      };
      const [a, b] = [day('one'), day('two')];
      const { pairs, doubtful } = finish(
        pairImages({ format: 'archive', images: a }, { format: 'archive', images: b }),
      );
      for (const pair of pairs) {
        const [one, other] = [a[pair.a], b[pair.b]];
        // Where a hash isn't known, nothing tells that a day is missing in both.
        const areKnown = one?.sha256 !== undefined && other?.sha256 !== undefined;
        if (areKnown && one.truth !== other.truth) wrong.push(`${pair.by}: ${one.truth} as ${other.truth}`);
      }
      const paired = new Set(pairs.map(pair => pair.a));
      a.forEach(({ sha256 }, at) => {
        const isInB = sha256 !== undefined && b.some(other => other.sha256 === sha256);
        if (isInB) count('hashes', paired.has(at));
        if (isInB && !paired.has(at)) missed.push(sha256);
      });
      for (const pair of doubtful)
        if (a[pair.a]?.truth === b[pair.b]?.truth) wrong.push(`doubtful: ${a[pair.a]?.truth}`);
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
    assert.deepEqual(missed.slice(0, 10), [], `${missed.length} missed`);
  });

  it('have no image of another size taken for it by anybody, and sizes make none certain', () => {
    const wrong: string[] = [];
    const different: string[] = [];
    eachStudy(study => {
      const sizeOf = study.sizes();
      const retaken = new Set(study.places.filter(() => study.one([true, false, false])));
      // Images that were taken again have the same name, and the size of another camera.
      const sized = (list: readonly Named[], isLater: boolean) => {
        const knows = study.one([() => true, () => study.one([true, false]), () => false]);
        return list.map(named => {
          const [place] = named.places;
          const { width, height } = sizeOf(place);
          const isOther = isLater && place !== undefined && retaken.has(place);
          return {
            ...named,
            isOther,
            size: knows() ? { width: isOther ? width + 1 : width, height } : undefined,
          };
        });
      };
      const [texts, images] = [sized(study.list(), false), sized(study.list(), true)];
      const linked = (sizes: boolean) => {
        const all = images.map(({ name, size }, at) => ({
          id: `id${at}`,
          filename: name,
          ...(sizes && size),
        }));
        const known = finish(
          resolveTexts(namesOf(texts), all, { ...(sizes && { sizes: texts.map(({ size }) => size) }) }),
        );
        return positions(known.images);
      };
      const found = texts.map(() => -1);
      const sideOf = (list: typeof texts) => ({
        format: 'archive' as const,
        images: list.map(({ name, size }, at) => ({
          id: `${list === texts ? 'a' : 'b'}${at}`,
          path: name,
          size,
        })),
      });
      for (const { a, b } of finish(pairImages(sideOf(texts), sideOf(images))).pairs) found[a] = b;
      const [links, withoutSizes] = [linked(true), linked(false)];
      if (found.join() !== links.join()) different.push(`${found.join()} and ${links.join()}`);
      texts.forEach(({ places, name, size }, at) => {
        const image = images[withoutSizes[at] ?? -1];
        const isOtherSize = haveOtherSizes(size, image?.size);
        const expected = isOtherSize ? -1 : withoutSizes[at];
        if (links[at] !== expected) wrong.push(`${name}: ${links[at]}, not ${expected}`);
        if (!image) return;
        if (isOtherSize) count('told by sizes to be other ones, which stay open', false);
        const isSame = areSame({ places, name }, image) && !image.isOther;
        const isTold = size !== undefined && image.size !== undefined;
        if (links[at] !== -1 && isTold && !isSame && !study.hides(texts, images))
          wrong.push(`${name} as ${image.name}`);
      });
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
    assert.deepEqual(different.slice(0, 10), [], `${different.length} different`);
  });

  it('are as a person says, whatever names say, and one to one', () => {
    eachStudy(study => {
      const [texts, paths] = [namesOf(study.list()), namesOf(study.list())];
      const images = paths.map((filename, at) => ({ id: `id${at}`, filename }));
      const free = [...images];
      const byHand = texts.flatMap(path => {
        const { id: image } =
          (study.one([true, false]) && free.splice(study.one([...free.keys()]), 1)[0]) || {};
        return image === undefined ? [] : [{ image, path }];
      });
      const known = finish(resolveTexts(texts, images, { byHand }));
      const pairs = finish(
        pairImages(
          { format: 'archive', images: texts.map((path, at) => ({ id: `a${at}`, path })) },
          { format: 'archive', images: images.map(({ id, filename: path }) => ({ id, path })) },
          byHand.map(({ image, path }) => ({
            a: `a${texts.indexOf(path)}\n${path}`,
            b: `${image}\n${images.find(({ id }) => id === image)?.filename ?? ''}`,
          })),
        ),
      ).pairs;
      for (const { image, path } of byHand) {
        const [text, at] = [texts.indexOf(path), images.findIndex(({ id }) => id === image)];
        assert.deepEqual([known.images[text], known.by[text]], [at, 'hand']);
        assert.deepEqual(
          pairs.find(({ a }) => a === text),
          { a: text, b: at, by: 'hand' },
        );
      }
      const taken = known.images.filter(image => typeof image === 'number');
      assert.equal(new Set(taken).size, taken.length);
    });
  });

  it('have no file beneath their masks that is another one than was uploaded, wherever it is now', async () => {
    const wrong: string[] = [];
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const study = new Study(randomNumbers(seed));
      const place = study.one(study.places);
      const content = 'analyzed';
      const recorded = `/up/${pathOf(place)}`;
      const files = new Map<string, string>();
      if (study.one([true, false]))
        files.set(recorded, study.one([content, 'changed', 'changed and larger']));
      for (const root of ['/w', '/copy'])
        if (study.one([true, false]))
          files.set(`${root}/${pathOf(place)}`, study.one([content, 'other', 'other and larger']));
      const isHashed = study.one([true, true, false]);
      const record = {
        uri: pathToFileURL(recorded).href,
        size: 1,
        isUnchanged: files.get(recorded) === content && study.one([true, false]),
        ...(isHashed && { sha256: content }),
      };
      const found = await foundBackground(files, record, pathOf(place));
      const shown = found.state === 'paired' ? (files.get(found.path) ?? '') : undefined;
      count('background files', shown !== undefined);
      const isWrong = shown !== undefined && (isHashed ? shown !== content : shown.endsWith('larger'));
      if (isWrong) wrong.push(`${seed}: ${shown}`);
    }
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} wrong`);
  });

  it('have no file of another image beneath their masks, where all files are there', () => {
    const different: string[] = [];
    const wrong: string[] = [];
    eachStudy(study => {
      const texts = study.list();
      const images = study.places.map(place => ({ places: [place], name: `/home/${pathOf(place)}` }));
      const files = namesOf(images);
      const found = texts.map(({ name }) => {
        const match = matchBackgroundImage({ filename: baseOf(name), origin: name }, files);
        const image = match.by === 'path' ? match.index : -1;
        // What links say of a path, backgrounds do; a name alone is suggested.
        const [linked] = /[\\/]/.test(name) ? finish(matchImages([name], files)) : [];
        if (image !== (typeof linked === 'number' ? linked : -1)) different.push(name);
        return image;
      });
      wrong.push(...judge('backgrounds', found, texts, images));
    });
    assert.deepEqual(different.slice(0, 10), [], `${different.length} different`);
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
