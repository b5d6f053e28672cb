import * as assert from 'node:assert/strict';
import { accountFolder, accountPlaces } from '../../../../src/accounts/node/accountFolder';

type StorageFacts = Parameters<typeof accountPlaces>[0];

describe('What an account stores', () => {
  const windows: StorageFacts = {
    storage: 'c:\\Users\\me\\AppData\\Roaming\\Code\\User\\globalStorage\\image-analysis.image-analysis',
    usesProfile: true,
    platform: 'win32',
    env: { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local', XDG_CACHE_HOME: 'C:\\xdg' },
    home: 'C:\\Users\\me',
  };
  const mac: StorageFacts = {
    storage: '/Users/me/Library/Application Support/Code/User/globalStorage/image-analysis.image-analysis',
    usesProfile: true,
    platform: 'darwin',
    env: { XDG_CACHE_HOME: '/xdg' },
    home: '/Users/me',
  };
  const linux: StorageFacts = {
    storage: '/home/me/.config/Code/User/globalStorage/image-analysis.image-analysis',
    usesProfile: true,
    platform: 'linux',
    env: {},
    home: '/home/me',
  };

  it('goes to the folder of the system for what can be downloaded again, where that can be', () => {
    const own = '[0-9a-f]{16}';
    const ours = 'image-analysis\\.image-analysis';
    const cases: [StorageFacts, RegExp][] = [
      [windows, new RegExp(`^C:\\\\Users\\\\me\\\\AppData\\\\Local\\\\${ours}\\\\${own}$`)],
      [{ ...windows, env: {} }, new RegExp(`^C:\\\\Users\\\\me\\\\AppData\\\\Local\\\\${ours}\\\\${own}$`)],
      [mac, new RegExp(`^/Users/me/Library/Caches/${ours}/${own}$`)],
      [linux, new RegExp(`^/home/me/\\.cache/${ours}/${own}$`)],
      [{ ...linux, env: { XDG_CACHE_HOME: '/local/me' } }, new RegExp(`^/local/me/${ours}/${own}$`)],
      // The specification has it ignored.
      [{ ...linux, env: { XDG_CACHE_HOME: 'cache' } }, new RegExp(`^/home/me/\\.cache/${ours}/${own}$`)],
    ];
    for (const [facts, expected] of cases) assert.match(accountPlaces(facts).caches, expected);
  });

  it('else stays in the storage: all of it where the editor is remote, served or portable', () => {
    for (const facts of [windows, mac, linux]) {
      assert.match(
        accountPlaces(facts).accounts,
        /globalStorage[\\/]image-analysis\.image-analysis[\\/]accounts$/,
      );
      const { accounts, caches } = accountPlaces({ ...facts, usesProfile: false });
      assert.equal(caches, accounts);
    }
  });

  it('is apart from that of another storage, such as that of VS Code Insiders', () => {
    const insiders = { ...windows, storage: windows.storage.replace('\\Code\\', '\\Code - Insiders\\') };
    assert.notEqual(accountPlaces(insiders).caches, accountPlaces(windows).caches);
    const respelled = { ...windows, storage: windows.storage.replace('c:\\', 'C:\\') };
    assert.equal(accountPlaces(respelled).caches, accountPlaces(windows).caches);
  });

  it('has its results in one place, and names another only where earlier versions had them there', () => {
    const together = accountFolder({ accounts: '/s/accounts', caches: '/s/accounts' }, 'a');
    assert.equal(together.formerResults, undefined);
    assert.equal(together.cache, together.path);
    const apart = accountFolder({ accounts: '/s/accounts', caches: '/c' }, 'a');
    assert.notEqual(apart.results, together.results);
    assert.equal(apart.formerResults, together.results);
    assert.equal(apart.state, together.state);
  });
});
