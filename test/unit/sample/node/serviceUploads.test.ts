import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { BOUNDARY, form, repeat, Workshop, type ServiceUnderTest } from './serviceHarness';

const UPLOAD = '/api/external/filesystem-items/upload-file';
const MAX_BYTES = 100_000;

describe('Uploading to the sample service', () => {
  let workshop: Workshop;
  let service: ServiceUnderTest;

  before(async () => {
    workshop = await Workshop.open();
    service = await workshop.start({ maxUploadBytes: MAX_BYTES });
  });

  after(async () => {
    await service.stop();
    await workshop.close();
  });

  const contentOf = (id: string) => readFile(join(service.directory, 'files', id));
  const countFiles = async () => (await readdir(join(service.directory, 'files'))).length;
  const uploadsUnderWay = () => readdir(join(service.directory, 'uploads'));
  const post = (body: Buffer, headers: Record<string, string> = {}) =>
    service.call(UPLOAD, {
      method: 'POST',
      body,
      headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
    });

  /** Fails unless an upload is refused with the status, leaving neither item nor file. */
  const isRefused = async (
    body: Buffer,
    status: number,
    reason: RegExp,
    headers?: Record<string, string>,
  ) => {
    const before = await countFiles();
    const answer = await post(body, headers);
    assert.equal(answer.status, status, answer.body.toString('utf8'));
    assert.match(String(answer.json['message']), reason);
    assert.equal(await countFiles(), before);
    assert.deepEqual(
      (await uploadsUnderWay()).filter(name => name.endsWith('.part')),
      [],
    );
  };

  it('stores the bytes as they were sent and returns ID and kind', async () => {
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    const { status, json } = await service.upload('bytes.bin', content);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json).sort(), ['__t', 'id']);
    assert.equal(json['__t'], 'File');
    assert.match(String(json['id']), /^[0-9a-f]{24}$/);
    assert.deepEqual(await contentOf(String(json['id'])), content);
  });

  it('accepts an empty file', async () => {
    const id = await service.put('empty.bin', Buffer.alloc(0));
    assert.equal((await contentOf(id)).length, 0);
  });

  it('preserves names with umlauts, spaces and dots in any script', async () => {
    const name = 'Zellkärne 細胞 …v1.2.png';
    const id = await service.put(name, Buffer.from('x'), 'names');
    const folder = (await service.list('/api/external/filesystem-items')).find(
      item => item['name'] === 'names',
    );
    const items = await service.list(`/api/external/filesystem-items?folderId=${folder?.['id'] ?? ''}`);
    assert.deepEqual(items, [{ id, name, __t: 'File', createdAt: items[0]?.['createdAt'] }]);
    assert.match(items[0]?.['createdAt'] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('creates the folders of a nested destination once', async () => {
    const first = await service.put('1.png', Buffer.from('1'), 'a/b/c');
    const second = await service.put('2.png', Buffer.from('2'), '/a//b/c/');
    const walk = async (names: string[]) => {
      let folderId = '';
      for (const name of names) {
        const items = await service.list(`/api/external/filesystem-items?folderId=${folderId}`);
        const found = items.filter(item => item['name'] === name);
        assert.equal(found.length, 1, `${name} is there once`);
        assert.equal(found[0]?.['__t'], 'Folder');
        folderId = found[0]?.['id'] ?? '';
      }
      return service.list(`/api/external/filesystem-items?folderId=${folderId}`);
    };
    assert.deepEqual(
      (await walk(['a', 'b', 'c'])).map(item => item['id']),
      [first, second],
    );
  });

  it('stores a second file of the same name beside the first', async () => {
    const first = await service.put('twice.png', Buffer.from('first'), 'twice');
    const second = await service.put('twice.png', Buffer.from('second'), 'twice');
    assert.notEqual(first, second);
    assert.equal((await contentOf(first)).toString(), 'first');
    assert.equal((await contentOf(second)).toString(), 'second');
  });

  it('accepts the parts in any order, and a file part without a file name', async () => {
    const part = (header: string, value: string) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; ${header}\r\n\r\n${value}\r\n`;
    const body =
      part('name="upload"', 'content first') +
      part('name="destinationFolder"', 'late') +
      part('name="fileName"', 'late.png') +
      `--${BOUNDARY}--\r\n`;
    const { status, json } = await post(Buffer.from(body));
    assert.equal(status, 200);
    assert.equal((await contentOf(String(json['id']))).toString(), 'content first');
  });

  it('accepts a body split at every position', async () => {
    // Content that nearly holds the boundary, cut inside line ends, dashes, headers and the
    // boundary itself.
    const content = Buffer.from(
      `\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r--\n\r\n\r\n--${BOUNDARY.slice(0, -1)}x\r`,
    );
    const body = form({ fileName: 'split.bin', destinationFolder: 'x/y' }, content);
    for (const step of [1, 3]) {
      const { socket, answer } = await openUpload(service, body.length);
      for (let at = 0; at < body.length; at += step) await write(socket, body.subarray(at, at + step));
      const text = await answer;
      assert.match(text, /^HTTP\/1\.1 200 /);
      const id = /"id":"([0-9a-f]{24})"/.exec(text)?.[1] ?? '';
      assert.deepEqual(await contentOf(id), content);
    }
  });

  it('accepts a file of the maximum size and rejects one byte more', async () => {
    const id = await service.put('largest.bin', Buffer.alloc(MAX_BYTES, 1));
    assert.equal((await contentOf(id)).length, MAX_BYTES);
    await isRefused(form({ fileName: 'a' }, Buffer.alloc(MAX_BYTES + 1, 1)), 413, /at most 100000 bytes/);
  });

  it('rejects a far too large file by its announced length, before it is sent', async () => {
    const { socket, answer } = await openUpload(service, 3 * 1024 ** 3);
    assert.match(await answer, /^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('rejects a form without a name, without a file, or with two files', async () => {
    const whole = form({ fileName: 'a' }, Buffer.from('x')).toString('latin1');
    const fileAlone = form({}, Buffer.from('x'));
    const twoFiles = whole.slice(0, -4 - BOUNDARY.length - 2) + fileAlone.toString('latin1');
    const nameAlone = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="fileName"\r\n\r\na\r\n--${BOUNDARY}--\r\n`;
    await isRefused(fileAlone, 400, /fileName is required/);
    await isRefused(Buffer.from(nameAlone), 400, /"upload".*missing/);
    await isRefused(Buffer.from(twoFiles, 'latin1'), 400, /Only one part "upload"/);
  });

  it("rejects a body that ends early or isn't a form", async () => {
    const whole = form({ fileName: 'a' }, Buffer.from('some content'));
    const json = { 'Content-Type': 'application/json' };
    await isRefused(whole.subarray(0, whole.length - 10), 400, /Unexpected end/);
    await isRefused(whole.subarray(0, 30), 400, /Unexpected end/);
    await isRefused(Buffer.from('{}'), 400, /multipart\/form-data/, json);
    await isRefused(whole, 400, /[Bb]oundary/, { 'Content-Type': 'multipart/form-data' });
  });

  it('rejects names and folders that lead out of the file system', async () => {
    const refused: [Record<string, string>, RegExp][] = [
      [{ fileName: '..' }, /fileName/],
      [{ fileName: 'a/b.png' }, /slash/],
      [{ fileName: 'a\u0000.png' }, /control/],
      [{ fileName: 'n'.repeat(256) }, /255/],
      [{ fileName: 'a', destinationFolder: '../../etc' }, /destinationFolder/],
      [{ fileName: 'a', destinationFolder: 'x/../y' }, /destinationFolder/],
      [{ fileName: 'a', destinationFolder: 'x/'.repeat(51) }, /50 folders/],
    ];
    for (const [fields, reason] of refused) await isRefused(form(fields, Buffer.from('x')), 400, reason);
  });

  it('leaves nothing behind when the client disconnects midway', async () => {
    const before = await countFiles();
    const body = form({ fileName: 'gone.png' }, Buffer.alloc(90_000, 1));
    const { socket, answer } = await openUpload(service, body.length);
    await write(socket, body.subarray(0, 50_000));
    await repeat(uploadsUnderWay, names => names.length === 1);
    socket.destroy();
    await answer;
    await repeat(uploadsUnderWay, names => names.length === 0);
    assert.equal(await countFiles(), before);
  });

  it('rejects a wrong key before it reads the body', async () => {
    const before = await countFiles();
    const { socket, answer } = await openUpload(service, 1000, 'wrong');
    assert.match(await answer, /^HTTP\/1\.1 401 /);
    socket.destroy();
    assert.equal(await countFiles(), before);
    assert.deepEqual(await uploadsUnderWay(), []);
  });
});

/** Sends an upload's headers; `answer` is what came by the end of the answer or connection. */
async function openUpload(service: ServiceUnderTest, length: number, key = service.key) {
  const socket = connect({ host: '127.0.0.1', port: service.port, noDelay: true });
  await once(socket, 'connect');
  const answer = new Promise<string>(resolve => {
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (/\r\n\r\n.*\}$/s.test(text)) resolve(text);
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
  const headers = [
    `POST ${UPLOAD} HTTP/1.1`,
    `Host: 127.0.0.1:${service.port}`,
    `X-API-KEY: ${key}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${length}`,
  ];
  await write(socket, Buffer.from(`${headers.join('\r\n')}\r\n\r\n`));
  return { socket, answer };
}

/** Writes one piece as a packet of its own. */
async function write(socket: Socket, piece: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    socket.write(piece, error => (error ? reject(error) : resolve())),
  );
  await new Promise(resolve => setImmediate(resolve));
}
