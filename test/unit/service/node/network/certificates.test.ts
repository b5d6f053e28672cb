import { deepEqual, ok } from 'node:assert/strict';
import * as tls from 'node:tls';
import { trustedCertificates } from '../../../../../src/service/node/dispatchers';
import type { NetworkSettings } from '../../../../../src/service/node/networkSettings';
import { silentLog } from '../../../../../src/base/log';
import { selfSigned } from '../selfSigned';

describe('The certificates that are trusted', () => {
  const own = tls.getCACertificates('default');
  const [ofSystem, ofSettings] = [selfSigned(), selfSigned()].map(({ cert }) => cert);
  const trusted = (settings: NetworkSettings) =>
    trustedCertificates({ environment: {}, ...settings }, silentLog, () => Promise.resolve([ofSystem ?? '']));

  it("are Node's own, the system's and the settings'", async () => {
    deepEqual(await trusted({ extraCertificates: [ofSettings ?? ''] }), [
      ...new Set(own),
      ofSystem,
      ofSettings,
    ]);
  });

  it("leave the system's out where those are off", async () => {
    deepEqual(await trusted({ systemCertificates: false }), [...new Set(own)]);
  });

  it("have all of this system's", async () => {
    const all = new Set(await trustedCertificates({ environment: {} }, silentLog));
    for (const certificate of tls.getCACertificates('system')) ok(all.has(certificate));
  });
});
