import { deepEqual, equal } from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { hostElsewhere } from '../../host/hostElsewhere';
import { addressed } from '../../host/servedHost';

describe('The address of a folder in a served VS Code', () => {
  it('begins with a slash on every system', () => {
    equal(addressed('/home/me/images', posix), '/home/me/images');
    equal(addressed('/odd\\name', posix), '/odd\\name');
    equal(addressed('C:\\Users\\me\\images', win32), '/C:/Users/me/images');
    equal(addressed('\\\\server\\share', win32), '//server/share');
  });

  it('tells of a host elsewhere where it is, and by which rules paths are written there', () => {
    const IA_HOST = 'http://127.0.0.1:8000/?folder=/d:/shared/my%20images';
    const onWindows = {
      origin: 'http://127.0.0.1:8000',
      addressed: '/d:/shared/my images',
      folder: 'd:\\shared\\my images',
      path: win32,
      otherPaths: [],
    };
    deepEqual(hostElsewhere({ IA_HOST }), onWindows);
    const more = { IA_HOST_FOLDER: '/mnt/d', IA_HOST_PATHS: 'X:\\images;Y:\\' };
    const otherPaths = ['X:\\images', 'Y:\\'];
    deepEqual(hostElsewhere({ IA_HOST, ...more }), { ...onWindows, folder: '/mnt/d', otherPaths });
    equal(hostElsewhere({ IA_HOST: 'http://localhost/?folder=/images' })?.path, posix);
    equal(hostElsewhere({}), undefined);
  });
});
