import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { WindowWatch } from '../../../../../src/sample/node/windowWatch';

const HOSTS = ['127.0.0.1:80'];
const headers = { host: '127.0.0.1:80', upgrade: 'image-analysis-window' };

describe('The windows that use the sample service', () => {
  let gone: number;
  let stays: boolean;
  let watch: WindowWatch;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    gone = 0;
    stays = false;
    watch = new WindowWatch(
      1000,
      () => stays,
      () => gone++,
    );
  });

  afterEach(() => {
    watch.dispose();
    mock.timers.reset();
  });

  /** A window's connection, which only its two ends know. */
  const connect = (request: object = { method: 'GET', url: '/sample/window', headers }) => {
    const socket = new PassThrough();
    watch.accept(request as IncomingMessage, socket, HOSTS);
    return socket;
  };
  const close = async (socket: PassThrough) => {
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.destroy();
    await closed;
  };

  it('have gone some time after the last connection was closed', async () => {
    const first = connect();
    const second = connect();
    watch.begin();
    await close(first);
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
    await close(second);
    mock.timers.tick(999);
    assert.equal(gone, 0);
    mock.timers.tick(1);
    assert.equal(gone, 1);
  });

  it('have not gone where one was reloaded', async () => {
    watch.begin();
    const before = connect();
    await close(before);
    mock.timers.tick(900);
    connect();
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
  });

  it('have gone where the one that started it never connects, counted from when the service is ready', () => {
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
    watch.begin();
    mock.timers.tick(1000);
    assert.equal(gone, 1);
  });

  it('do not matter to a service that somebody else wants by then', async () => {
    watch.begin();
    await close(connect());
    stays = true;
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
  });

  it('are no other requests, nor those that a page of another host makes', () => {
    const window = { method: 'GET', url: '/sample/window', headers };
    const others = [
      { ...window, url: '/sample/identity' },
      { ...window, method: 'POST' },
      { ...window, headers: { ...headers, upgrade: 'websocket' } },
      { ...window, headers: { ...headers, host: 'rebound.example:80' } },
    ];
    assert.deepEqual(
      others.map(other => connect(other).destroyed),
      [true, true, true, true],
    );
    assert.equal(connect(window).destroyed, false);
  });

  it('lose their connections when the service ends', () => {
    const socket = connect();
    watch.dispose();
    assert.deepEqual([socket.destroyed, connect().destroyed], [true, true]);
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
  });
});
