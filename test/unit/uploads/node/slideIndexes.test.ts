import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocalFile } from '../../../../src/uploads/node/expandFiles';
import { incompleteIndexes } from '../../../../src/uploads/node/slideIndexes';

const INDEX = `[Virtual Microscope Specimen]
NoLayers=1
NoJpegColumns=2
NoJpegRows=1
ImageFile=slide.jpg
ImageFile(1,0)=slide(1,0).jpg
MapFile=slide_map2.jpg
OptimisationFile=slide.opt
MacroImage=slide_macro.jpg
PhysicalWidth=1000
`;

describe('An index of a slide', () => {
  let folder = '';
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'indexes-'))));
  after(() => rm(folder, { recursive: true }));

  const file = async (name: string, content = ''): Promise<LocalFile> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return { uri: pathToFileURL(path).href, fileName: name, folder: '', size: content.length };
  };

  it('is alone without each file that it names', async () => {
    const index = await file('slide.vms', INDEX);
    assert.deepEqual(await incompleteIndexes([index]), [{ file: index, missing: 4 }]);
    const some = [index, await file('slide.jpg'), await file('SLIDE(1,0).JPG')];
    assert.deepEqual(await incompleteIndexes(some), [{ file: index, missing: 2 }]);
    const all = [...some, await file('slide_map2.jpg'), await file('slide_macro.jpg')];
    assert.deepEqual(await incompleteIndexes(all), []);
  });

  it('that names files in other folders, or none, is alone where nothing is beside it', async () => {
    const index = await file('other.vmu', 'ImageFile=C:\\scans\\pixels.ngr\r\n');
    assert.deepEqual(await incompleteIndexes([index, await file('pixels.ngr')]), []);
    const empty = await file('empty.VMS', 'nothing');
    assert.deepEqual(await incompleteIndexes([empty]), [{ file: empty, missing: undefined }]);
    const gone = { ...empty, uri: pathToFileURL(join(folder, 'gone.vms')).href, fileName: 'gone.vms' };
    assert.deepEqual(await incompleteIndexes([gone]), [{ file: gone, missing: undefined }]);
  });

  it('is no other image', async () => {
    assert.deepEqual(await incompleteIndexes([await file('a.ndpi', INDEX), await file('a.svs')]), []);
  });
});
