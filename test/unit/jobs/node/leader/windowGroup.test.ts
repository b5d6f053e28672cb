import * as assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { hello, PROTOCOL } from '../../../../../src/jobs/node/meetingPlace';
import { describeWith, itWith } from '../../../capabilities';
import { useTestWindows } from './windowGroups';

describeWith('listedPipes')('Windows of one account', () => {
  const windows = useTestWindows();

  it('follow the one that came first, and exchange messages with it', async () => {
    const [leader, second, third] = await windows.joined('first', 'second', 'third');
    assert.ok(leader && second && third);
    assert.deepEqual(leader.roles, ['joining', 'leading']);
    assert.deepEqual(second.roles, ['joining', 'following']);
    assert.deepEqual(third.roles, ['joining', 'following']);
    leader.group.send({ to: 'all' });
    await Promise.all([second.receives({ to: 'all' }), third.receives({ to: 'all' })]);
    second.group.send(['from', 'second', 'µm – 图像']);
    await leader.receives(['from', 'second', 'µm – 图像']);
    assert.deepEqual(third.received, [{ to: 'all' }]);
  });

  it('hear of a window before it sends or receives anything', async () => {
    const leader = windows.open('leader');
    leader.group.onDidMeet(peer => peer.send('welcome'));
    await leader.group.join();
    const follower = windows.open('follower');
    follower.group.onDidMeet(peer => peer.send('here I am'));
    await follower.group.join();
    await Promise.all([leader.receives('here I am'), follower.receives('welcome')]);
  });

  it('have one leader when many join at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const many = Array.from({ length: 8 }, (_, index) => windows.open(`window ${index}`));
      await Promise.all(many.map(({ group }) => group.join()));
      assert.deepEqual(many.map(({ group }) => group.role).sort(), [
        ...Array.from({ length: 7 }, () => 'following'),
        'leading',
      ]);
      for (const { group } of many) group.dispose();
    }
  });

  it('replace a leader that is closed', async () => {
    const [leader, second, third] = await windows.joined('first', 'second', 'third');
    assert.ok(leader && second && third);
    const lost = [second.becomes('joining'), third.becomes('joining')];
    leader.group.dispose();
    await Promise.all(lost);
    await Promise.all([second.group.join(), third.group.join()]);
    assert.deepEqual([second.group.role, third.group.role].sort(), ['following', 'leading']);
  });

  it('are not led by one that can not lead, but it follows', async () => {
    const keyless = windows.open('without a key');
    keyless.mayLead = false;
    await keyless.group.join();
    assert.equal(keyless.group.role, 'alone');
    const [leader] = await windows.joined('with a key');
    await keyless.group.join();
    assert.equal(keyless.group.role, 'following');
    leader?.group.dispose();
    await keyless.becomes('alone');
  });

  it('are followed by one that can not lead as soon as there is a leader again', async () => {
    const [leader] = await windows.joined('first');
    const keyless = windows.open('without a key');
    keyless.mayLead = false;
    await keyless.group.join();
    keyless.group.setAwake(true);
    leader?.group.dispose();
    await keyless.becomes('alone');
    // What the tracker does that has no key to poll with.
    keyless.group.leave();
    const next = windows.open('next', { now: () => Date.now() + 5000 });
    await next.group.join();
    keyless.beat();
    await keyless.becomes('following');
    assert.deepEqual([next.group.role, keyless.ticks.size], ['leading', 1]);
  });

  it('replace a leader that leaves, until it joins again', async () => {
    const [leader, second] = await windows.joined('first', 'second');
    assert.ok(leader && second);
    leader.group.leave();
    assert.equal(leader.group.role, 'alone');
    await second.becomes('leading');
    await leader.group.join();
    assert.equal(leader.group.role, 'following');
  });

  it('replace a leader of whom four heartbeats are missing, and it then follows', async () => {
    const [leader, second] = await windows.joined('first', 'second');
    assert.ok(leader && second);
    for (const { group } of [leader, second]) group.setAwake(true);
    for (let missed = 1; missed < 4; missed++) second.beat();
    assert.equal(second.group.role, 'following');
    second.beat();
    await second.becomes('leading');
    leader.beat();
    await leader.becomes('following');
    assert.deepEqual(second.roles.slice(2), ['joining', 'leading']);
    assert.deepEqual(leader.roles.slice(2), ['joining', 'following']);
  });

  it('stay with a leader whose heartbeats arrive', async () => {
    const [leader, second] = await windows.joined('first', 'second');
    assert.ok(leader && second);
    for (const { group } of [leader, second]) group.setAwake(true);
    for (let round = 0; round < 5; round++) {
      for (let missed = 0; missed < 3; missed++) second.beat();
      leader.beat();
      // Lines come in their order, so the heartbeat was heard before this.
      leader.group.send({ round });
      await second.receives({ round });
    }
    assert.deepEqual(second.roles, ['joining', 'following']);
  });

  it('have no timer unless they are awake', async () => {
    const both = await windows.joined('first', 'second');
    for (const { ticks } of both) assert.equal(ticks.size, 0);
    for (const { group } of both) group.setAwake(true);
    for (const { ticks } of both) assert.equal(ticks.size, 1);
    for (const { group } of both) group.setAwake(false);
    for (const { ticks } of both) assert.equal(ticks.size, 0);
  });

  it('leave no socket behind', async () => {
    const both = await windows.joined('first', 'second');
    for (const { group } of both) group.dispose();
    assert.deepEqual(await sockets(), []);
  });

  itWith('socketFiles')('remove the socket of a leader that crashed', async () => {
    const place = await windows.place();
    // A socket that nobody listens on is what a crash leaves; a file does as well.
    await writeFile(place.address(7), '');
    const [leader] = await windows.joined('first');
    assert.equal(leader?.group.role, 'leading');
    assert.equal((await sockets()).length, 1);
    assert.notEqual(await place.latest(), 7);
  });

  it('pass a leader that accepts but does not respond', async () => {
    const place = await windows.place();
    const hung = createServer(socket => socket.resume()).listen(place.address(7));
    await once(hung, 'listening');
    try {
      const [leader] = await windows.joined('first');
      assert.equal(leader?.group.role, 'leading');
    } finally {
      hung.close();
    }
  });

  it('do not follow what does not know their nonce, or is of another version', async () => {
    const place = await windows.place();
    const greetings = [
      { ...hello(place.nonce, 'leader'), protocol: 0 },
      hello('another', 'leader'),
      hello(place.nonce, 'follower'),
      { protocol: PROTOCOL, proof: 'µ'.repeat(32) },
      null,
      'hello',
    ];
    for (const greeting of greetings) {
      const stranger = createServer(socket =>
        socket
          .on('error', () => undefined)
          .resume()
          .write(`${JSON.stringify(greeting)}\n`),
      );
      stranger.listen(place.address(7));
      await once(stranger, 'listening');
      const window = windows.open('window');
      await window.group.join();
      assert.equal(window.group.role, 'alone', JSON.stringify(greeting));
      stranger.close();
    }
  });

  it('tell strangers nothing, and do not listen to them', async () => {
    const [leader] = await windows.joined('first');
    assert.ok(leader);
    const place = await windows.place();
    const says = async (...lines: string[]) => {
      const socket = connect(place.address((await place.latest()) ?? 0));
      let heard = '';
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      socket.on('error', () => undefined);
      for (const line of lines) socket.write(line);
      await new Promise(resolve => socket.once('close', resolve));
      return heard;
    };
    assert.equal(await says('{}\n', '"anything"\n'), '');
    assert.equal(await says('not JSON\n'), '');
    assert.equal(await says(`${JSON.stringify(hello('another', 'follower'))}\n`), '');
    assert.equal(await says(), '', 'one that says nothing is let go');
    const oversized = `"${'x'.repeat(2 * 1024 * 1024)}"\n`;
    assert.equal(await says(oversized), '');
    const friend = `${JSON.stringify(hello(place.nonce, 'follower'))}\n`;
    assert.equal(await says(friend, oversized), `${JSON.stringify(hello(place.nonce, 'leader'))}\n`);
    assert.deepEqual(leader.received, []);
  });

  it('stay together when one sends a long message', async () => {
    const [leader, second] = await windows.joined('first', 'second');
    assert.ok(leader && second);
    const long = { job: '图'.repeat(300_000) };
    leader.group.send(long);
    await Promise.race([second.receives(long), second.becomes('joining')]);
    assert.deepEqual(second.roles, ['joining', 'following']);
  });

  it('never send the nonce', async () => {
    const place = await windows.place();
    let heard = '';
    const server = createServer(socket => socket.on('data', (chunk: Buffer) => (heard += chunk.toString())));
    server.listen(place.address(7));
    await once(server, 'listening');
    await windows.joined('first');
    server.close();
    assert.ok(heard.includes(`"protocol":${PROTOCOL}`));
    assert.ok(!heard.includes(place.nonce));
    assert.ok(!(await sockets()).some(name => name.includes(place.nonce.slice(0, 16))));
  });

  it('are alone where the nonce can not be read', async () => {
    await writeFile(join(windows.folder, 'nonce'), 'half a non');
    const [first, second] = await windows.joined('first', 'second');
    assert.deepEqual([first?.group.role, second?.group.role], ['alone', 'alone']);
    assert.equal(await readFile(join(windows.folder, 'nonce'), 'utf8'), 'half a non');
  });

  /** Sockets of these windows, or pipes on Windows. */
  async function sockets(): Promise<string[]> {
    const any = (await windows.place()).address(0);
    return (await readdir(dirname(any))).filter(name => name.startsWith(basename(any, '0')));
  }
});
