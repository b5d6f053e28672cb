import { deepEqual } from 'node:assert/strict';
import { urisInList } from '../../../../src/uploads/node/fileNodes';

describe('A list of URIs', () => {
  it('has one per line, and comments', () => {
    deepEqual(urisInList('# from the file manager\r\nfile:///a.tif\r\nfile:///b%20c.tif\n'), [
      'file:///a.tif',
      'file:///b%20c.tif',
    ]);
    deepEqual(urisInList(''), []);
  });
});
