import * as assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { LineLog } from '../../../../src/base/node/lineLog';
import { itWith } from '../../capabilities';

describe('A log of lines', () => {
  let folder: string;
  const limits = { fileBytes: 100, files: 2 };
  const log = () => new LineLog(path.join(folder, 'state'), 'uploads', limits);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lines-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The lines of each part, the newest part first. */
  async function fileContents(): Promise<string[][]> {
    const found: string[][] = [];
    for await (const part of log().fileContents()) found.push(part.toString().split('\n').filter(Boolean));
    return found;
  }

  it('has no lines before the first is written', async () => {
    assert.deepEqual(await fileContents(), []);
  });

  it('keeps the lines of several writers in their order', async () => {
    const [here, there] = [log(), log()];
    await here.append(['a', 'b']);
    await there.append(['c']);
    here.appendNow(['d']);
    assert.deepEqual(await fileContents(), [['a', 'b', 'c', 'd']]);
  });

  it('keeps all lines of writers that write at the same time', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const many = new LineLog(path.join(folder, 'state'), 'uploads', { fileBytes: 1e6, files: 2 });
    await Promise.all(lines.map(line => many.append([line])));
    const [found] = await fileContents();
    assert.deepEqual(found?.sort(), lines.sort());
  });

  it('loses only the line that a crash cut off', async () => {
    await log().append(['a']);
    await appendFile(path.join(folder, 'state', 'uploads-1.jsonl'), 'cut o');
    await log().append(['b']);
    assert.deepEqual(await fileContents(), [['a', 'cut o', 'b']]);
  });

  it('starts a new file after a full one, and deletes the oldest', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(120)) as [
      string,
      string,
      string,
      string,
    ];
    await log().append([a]);
    await log().append([b]);
    assert.deepEqual(await fileContents(), [[], [b], [a]].slice(0, 2));
    await log().append([c]);
    await log().append(['short']);
    assert.deepEqual(await fileContents(), [['short'], [c]]);
    assert.deepEqual((await readdir(path.join(folder, 'state'))).length, 2);
    await log().append([d]);
    assert.deepEqual(await fileContents(), [[], ['short', d]]);
  });

  itWith('fileModes')('can only be read by its owner', async () => {
    await log().append(['a']);
    const { mode } = await stat(path.join(folder, 'state', 'uploads-1.jsonl'));
    assert.equal(mode & 0o777, 0o600);
  });

  it('creates nothing any more once it is disposed', async () => {
    const ended = log();
    ended.dispose();
    await ended.append(['a']);
    ended.appendNow(['b']);
    assert.deepEqual(await readdir(folder), []);
  });
});
