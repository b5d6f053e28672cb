import * as assert from 'node:assert/strict';
import { FileNode } from '../../../../src/uploads/node/fileNode';
import { droppedUris, folderOfDrop, uploadArguments } from '../../../../src/uploads/node/fileNodes';
import { LoadMoreNode } from '../../../../src/host/node/pagedNodes';

describe('Files dropped on the Files view', () => {
  it('are those of a list of URIs, also where the editor gives them as files too', () => {
    const drop = { uriList: 'file:///a.tif\r\nfile:///b.tif\r\n', files: ['file:///a.tif', undefined] };
    assert.deepEqual(droppedUris(drop), { uris: ['file:///a.tif', 'file:///b.tif'], hasPathless: false });
  });

  it('are those of files with a path, each once', () => {
    assert.deepEqual(droppedUris({ uriList: undefined, files: ['file:///a.tif', 'file:///a.tif'] }), {
      uris: ['file:///a.tif'],
      hasPathless: false,
    });
  });

  it('are reported where some have no path, or nothing usable was dropped', () => {
    assert.deepEqual(droppedUris({ uriList: undefined, files: [undefined] }), {
      uris: [],
      hasPathless: true,
    });
    assert.deepEqual(droppedUris({ uriList: '', files: ['file:///a.tif', undefined] }), {
      uris: ['file:///a.tif'],
      hasPathless: true,
    });
    assert.deepEqual(droppedUris({ uriList: undefined, files: [] }), { uris: [], hasPathless: true });
  });

  it('go into the folder they are dropped on, or the one of the file they are dropped on', () => {
    const folder = new FileNode({ id: 'f', __t: 'Folder', name: 'plates' }, undefined);
    const file = new FileNode({ id: 'a', __t: 'File', name: 'a.tif' }, folder);
    assert.equal(folderOfDrop(folder), folder);
    assert.equal(folderOfDrop(file), folder);
    assert.equal(folderOfDrop(new FileNode({ id: 'b', __t: 'File' }, undefined)), undefined);
    assert.equal(folderOfDrop(new LoadMoreNode(() => Promise.resolve())), undefined);
  });
});

describe('The arguments of an upload', () => {
  const isUri = (value: unknown) => typeof value === 'string';
  const folder = new FileNode({ id: 'f', __t: 'Folder', name: 'plates' }, undefined);

  it('are the files of the Explorer as they are', () => {
    assert.deepEqual(uploadArguments(['a', ['a', 'b']], isUri), { files: ['a', ['a', 'b']] });
    assert.deepEqual(uploadArguments([], isUri), { files: [] });
  });

  it('are a folder and what was dropped on it', () => {
    assert.deepEqual(uploadArguments([folder, ['a', 'b']], isUri), { folder, files: ['a', ['a', 'b']] });
  });

  it('are a folder alone where nodes of the tree are selected', () => {
    assert.deepEqual(uploadArguments([folder, [folder, folder]], isUri), { folder, files: [] });
    assert.deepEqual(uploadArguments([folder], isUri), { folder, files: [] });
  });
});
