import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveFile, writeWholeFile, type AboutOpenFile } from '../../../../src/results/node/saveFile';
import { isCoded, type CodedError } from '../../../../src/base/errors';
import type { Disposable } from '../../../../src/base/disposable';
import { ForeignDisk, onMachine, withoutWaiting } from '../../foreignDisk';

describe('A file that a person saves', () => {
  let folder: string;
  let disk: ForeignDisk;
  let open: string;
  let held: Disposable;
  let reports: CodedError[];
  let waiting: Disposable;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-save-'));
    disk = new ForeignDisk(folder);
    open = join(folder, 'a.csv');
    await writeFile(open, 'old');
    held = disk.hold(open);
    reports = [];
    waiting = withoutWaiting();
  });

  afterEach(async () => {
    waiting.dispose();
    disk.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const write = (place: string) => writeWholeFile(place, [Buffer.from('n'), Buffer.from('ew')]);
  const save = (answers: (() => AboutOpenFile)[], elsewhere?: string) =>
    saveFile(open, write, {
      choose: () => Promise.resolve(elsewhere),
      aboutOpen: error => {
        reports.push(error);
        return Promise.resolve(answers.shift()?.());
      },
    });

  it('is saved once the program that has it open closes it', async () => {
    const closes = () => {
      held.dispose();
      return 'again' as const;
    };
    deepEqual(await save([closes]), { path: open, saved: undefined });
    deepEqual(
      reports.map(({ code, details }) => [code, details.subject]),
      [['in-use', 'a.csv']],
    );
    equal(await readFile(open, 'utf8'), 'new');
  });

  it('is saved elsewhere instead', async () => {
    const other = join(folder, 'b.csv');
    deepEqual(await save([() => 'elsewhere'], other), { path: other, saved: undefined });
    equal(await readFile(open, 'utf8'), 'old');
    equal(await readFile(other, 'utf8'), 'new');
    deepEqual(await readdir(folder), ['a.csv', 'b.csv']);
  });

  it('is left as it was where the person does nothing about it', async () => {
    equal(await save([() => undefined]), undefined);
    equal(await save([() => 'elsewhere']), undefined);
    equal(await readFile(open, 'utf8'), 'old');
    deepEqual(await readdir(folder), ['a.csv']);
  });

  it('is open elsewhere also where Windows says that it is not permitted', async () => {
    held.dispose();
    disk.hold(open, 'EPERM');
    equal(await onMachine({ platform: 'win32' }, () => save([() => undefined])), undefined);
    deepEqual(
      reports.map(({ code }) => code),
      ['in-use'],
    );
  });

  it('fails at once for another reason, such as the privacy settings of macOS', async () => {
    held.dispose();
    const denied = disk.refuse(['write'], 'EPERM');
    await onMachine({ platform: 'darwin' }, () =>
      rejects(
        save([]),
        error =>
          isCoded(error, 'not-writable') &&
          error.details.reason?.message ===
            "macOS doesn't let VS Code use this folder. Allow it in System Settings > Privacy & Security > Files and Folders",
      ),
    );
    denied.dispose();
    equal(reports.length, 0);
    equal(await readFile(open, 'utf8'), 'old');
  });
});
