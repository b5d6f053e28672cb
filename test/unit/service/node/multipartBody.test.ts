import * as assert from 'node:assert/strict';
import { memoryWith, multipartBody } from '../../../../src/service/node/multipartBody';
import { isCoded } from '../../../../src/base/errors';

const never = new AbortController().signal;

function file(fileName: string, bytes: Uint8Array, size = bytes.byteLength, pieces = 1) {
  return {
    field: 'upload',
    fileName,
    size,
    async *open() {
      const length = Math.ceil(bytes.byteLength / pieces);
      for (let piece = 0; piece < pieces; piece++) yield bytes.subarray(piece * length, (piece + 1) * length);
    },
  };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

describe('A multipart body', () => {
  it('is exactly these bytes', async () => {
    const fields = { fileName: 'a.png', destinationFolder: 'plates/day 1' };
    const body = multipartBody(fields, file('a.png', Uint8Array.of(0, 255, 13, 10)), 'BOUNDARY');
    const bytes = await bytesOf(body.open(never, () => undefined));
    assert.equal(
      bytes.toString('latin1'),
      [
        '--BOUNDARY',
        'Content-Disposition: form-data; name="fileName"',
        '',
        'a.png',
        '--BOUNDARY',
        'Content-Disposition: form-data; name="destinationFolder"',
        '',
        'plates/day 1',
        '--BOUNDARY',
        'Content-Disposition: form-data; name="upload"; filename="a.png"',
        'Content-Type: application/octet-stream',
        '',
        '\x00\xff\r\n',
        '--BOUNDARY--',
        '',
      ].join('\r\n'),
    );
    assert.equal(body.contentType, 'multipart/form-data; boundary=BOUNDARY');
    assert.equal(body.contentLength, bytes.byteLength);
  });

  const names: [name: string, escaped: string][] = [
    ['plain.tif', 'plain.tif'],
    ['say "cheese".tif', 'say %22cheese%22.tif'],
    ['two\r\nlines.tif', 'two%0D%0Alines.tif'],
    ['Zelle α µm 細胞.tif', 'Zelle α µm 細胞.tif'],
    ["it's 100%; a\\b.tif", "it's 100%; a\\b.tif"],
    ['x"\r\nContent-Type: text/html\r\n\r\n<b>', 'x%22%0D%0AContent-Type: text/html%0D%0A%0D%0A<b>'],
  ];
  for (const [name, escaped] of names) {
    it(`writes the file name ${JSON.stringify(name)} as a browser does`, async () => {
      const body = multipartBody({}, file(name, Uint8Array.of(1)), 'B');
      const bytes = await bytesOf(body.open(never, () => undefined));
      assert.equal(
        bytes.toString('utf8'),
        `--B\r\nContent-Disposition: form-data; name="upload"; filename="${escaped}"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n\x01\r\n--B--\r\n',
      );
      assert.equal(body.contentLength, bytes.byteLength);
    });
  }

  it('is parsed by another implementation to what went in', async () => {
    const content = Buffer.from('--B\r\nnot a boundary\r\n');
    const body = multipartBody({ fileName: 'ünï "x".png' }, file('ünï "x".png', content, content.length, 3));
    const bytes = await bytesOf(body.open(never, () => undefined));
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': body.contentType },
    }).formData();
    assert.deepEqual([...form.keys()], ['fileName', 'upload']);
    assert.equal(form.get('fileName'), 'ünï "x".png');
    const upload = form.get('upload');
    assert.ok(upload instanceof File);
    assert.equal(upload.name, 'ünï "x".png');
    assert.deepEqual(Buffer.from(await upload.arrayBuffer()), content);
  });

  it('is the same bytes as a whole', async () => {
    const content = Buffer.from('the bytes');
    const inPieces = multipartBody({ fileName: 'a.tif' }, file('a.tif', content, content.length, 3), 'B');
    const body = multipartBody({ fileName: 'a.tif' }, file('a.tif', content), 'B');
    const inMemory = memoryWith(content);
    const whole = body.whole(inMemory);
    assert.deepEqual(whole, await bytesOf(inPieces.open(never, () => undefined)));
    assert.equal(whole.buffer, inMemory.memory.buffer);
    assert.ok(body.complete);
  });

  for (const [what, length] of [
    ['before', 3000],
    ['after', 300],
  ] as const) {
    it(`has the same bytes in memory with too little room ${what} the file`, async () => {
      const content = Buffer.from('the bytes');
      const make = () =>
        what === 'before'
          ? multipartBody({ fileName: 'a'.repeat(length) }, file('a.tif', content), 'B')
          : multipartBody({}, file('a.tif', content), 'B'.repeat(length));
      const whole = make().whole(memoryWith(content));
      assert.deepEqual(whole, await bytesOf(make().open(never, () => undefined)));
    });
  }

  it('has the same bytes in memory with a name that is not ASCII', async () => {
    const content = Buffer.from('the bytes');
    const make = () => multipartBody({ fileName: 'ünï 細胞.png' }, file('ünï 細胞.png', content), 'B');
    assert.deepEqual(make().whole(memoryWith(content)), await bytesOf(make().open(never, () => undefined)));
  });

  it('has a boundary of its own each time', () => {
    const one = multipartBody({}, file('a', Uint8Array.of(1)));
    const other = multipartBody({}, file('a', Uint8Array.of(1)));
    assert.notEqual(one.contentType, other.contentType);
  });

  it('may contain an empty file', async () => {
    const body = multipartBody({}, file('empty', new Uint8Array(0)), 'B');
    assert.equal((await bytesOf(body.open(never, () => undefined))).byteLength, body.contentLength);
    assert.ok(body.complete);
  });

  it('reports how much of the file was read', async () => {
    const heard: number[] = [];
    const body = multipartBody({}, file('a', new Uint8Array(10), 10, 5), 'B');
    await bytesOf(body.open(never, bytes => heard.push(bytes)));
    assert.deepEqual(heard, [2, 4, 6, 8, 10]);
  });

  for (const [what, size] of [
    ['shorter', 11],
    ['longer', 9],
  ] as const) {
    it(`fails before its end when the file is ${what} than declared`, async () => {
      const body = multipartBody({}, file('a.tif', new Uint8Array(10), size, 2), 'B');
      let sent = 0;
      await assert.rejects(
        async () => {
          for await (const chunk of body.open(never, () => undefined)) sent += chunk.byteLength;
        },
        error => isCoded(error, 'file-changed') && error.details.subject === 'a.tif',
      );
      assert.ok(sent < body.contentLength);
      assert.ok(!body.complete);
    });
  }
});
