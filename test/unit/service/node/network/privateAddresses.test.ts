import * as assert from 'node:assert/strict';
import { isPrivateAddress, isPrivateHost } from '../../../../../src/service/node/serviceHost';

describe('A private address', () => {
  const privateOnes = [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::ffff:169.254.169.254',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '5f00::1',
    '2002:c058:6301::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ];
  for (const address of privateOnes) {
    it(`is ${address}`, () => assert.equal(isPrivateAddress(address), true));
  }

  const publicOnes = [
    '1.1.1.1',
    '9.255.255.255',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.1',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.1',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2002:101:101::1',
    '2606:4700::1111',
    '3ffe:ffff::1',
    '3fff:1000::1',
    '5eff::1',
    '5f01::1',
    '2a00:1450:4001::1',
  ];
  for (const address of publicOnes) {
    it(`is not ${address}`, () => assert.equal(isPrivateAddress(address), false));
  }

  it('may be written in any way that a URL allows', () => {
    for (const written of ['0x7f.1', '2130706433', '0177.0.0.1', '127.1', '[::ffff:7f00:1]', '[::]', '1.'])
      assert.equal(isPrivateHost(new URL(`https://${written}/`).hostname), true, written);
    assert.equal(isPrivateHost(new URL('https://[2606:4700::1111]/').hostname), false);
  });

  it('is behind some names for certain', () => {
    for (const name of [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'nas.local',
      'db.internal',
      'x.home.arpa',
      'nas',
    ])
      assert.equal(isPrivateHost(name), true, name);
    for (const name of ['example.com', 'internal.example.com', 'my-local.org', 'localhost.example.com'])
      assert.equal(isPrivateHost(name), false, name);
  });
});
