import * as assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { missing } from '../unit/capabilities';
import { macTemporaryFolder } from '../unit/foreignDisk';
import { bodyFaults } from './bodyFaults';
import { connectionFaults } from './connectionFaults';
import { diskFaults, SMALL_DISK } from './diskFaults';
import type { Fault } from './fault';
import { diskTableHead, printedLines, tableHead, tableLines, type OperationOutcome } from './faultTable';
import { foreignDiskFaults } from './foreignDiskFaults';
import { jobFaults } from './jobFaults';
import type { OperationName } from './operations';
import { FORBIDDEN, run, type Outcome } from './run';
import { mountSmallDisk } from './smallDisk';
import { statusFaults } from './statusFaults';

/*
 * A service that misbehaves: each fault with each operation that meets it. The operations are those
 * of the product, as a session has them, on a service on this machine. Whatever happens, they end,
 * say so in a sentence without secrets, and leave nothing.
 */

const DOCUMENT = 'docs/faults.md';
/** Parts of the sentences of faults that select them; all without. */
const fragments = JSON.parse(process.env['IA_FAULTS'] ?? '[]') as string[];
const isWriting = process.env['IA_WRITE'] === '1';
/** Most of a run is waiting. */
const CONCURRENCY = 12;
/** A file that is held open is waited for. */
const DISK_CONCURRENCY = 32;

const disk = mountSmallDisk(SMALL_DISK);
const faults = [
  ...connectionFaults,
  ...bodyFaults,
  ...statusFaults,
  ...jobFaults,
  ...(disk ? diskFaults : []),
  ...foreignDiskFaults,
].filter(({ does }) => fragments.length === 0 || fragments.some(fragment => does.includes(fragment)));

/** All runs of a fault with an operation, begun with those of all others. */
class Runs {
  private readonly limit = pLimit(CONCURRENCY);
  private readonly diskLimit = pLimit(DISK_CONCURRENCY);
  private readonly all = new Map<Fault, Map<OperationName, Promise<Outcome[]>>>();

  begin(): void {
    if (this.all.size > 0) return;
    for (const fault of faults) {
      const ofFault = fault.operations.map(name => [name, this.runAll(fault, name)] as const);
      this.all.set(fault, new Map(ofFault));
    }
  }

  async of(fault: Fault, name: OperationName): Promise<Outcome[]> {
    return (await this.all.get(fault)?.get(name)) ?? [];
  }

  private runAll(fault: Fault, name: OperationName): Promise<Outcome[]> {
    const folder = fault.isDiskSmall ? disk?.folder : undefined;
    const variants = Array.from({ length: fault.variants?.(name) ?? 1 }, (_, variant) =>
      (fault.onDisk ? this.diskLimit : this.limit)(() => run(fault, name, variant, folder)),
    );
    const running = Promise.all(variants);
    // The test that is about it says so.
    running.catch(() => undefined);
    return running;
  }
}

/** What says where files that only last for a while are: the latter two on Windows. */
const TEMPORARY = ['TMPDIR', 'TEMP', 'TMP'];
/** The same, and where sockets are. */
const PLACES = [...TEMPORARY, 'XDG_RUNTIME_DIR'];
/** Of which another system than that of the document tells something else. */
const incomparable = faults.flatMap(({ does, needs }) => {
  const why = needs && missing[needs];
  return why === undefined ? [] : [`but that it ${does}, as ${why}`];
});

describe('A misbehaving service or disk', () => {
  const runs = new Runs();
  const lines = new Map<Fault, string[]>();
  const places = PLACES.map(name => [name, process.env[name]] as const);
  let temporary = '';

  before(() => {
    // A Mac has no other place for sockets than this folder, whose path is long.
    temporary = macTemporaryFolder();
    for (const name of PLACES) Reflect.deleteProperty(process.env, name);
    for (const name of TEMPORARY) process.env[name] = temporary;
    runs.begin();
  });
  after(() => {
    disk?.dispose();
    for (const [name, value] of places)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const fault of faults) {
    describe(`that ${fault.does}`, () => {
      const outcomes: OperationOutcome[] = [];
      for (const operation of fault.operations) {
        it(`does no harm to those who ${operation}`, async () => {
          const ofOperation = await runs.of(fault, operation);
          outcomes.push({ operation, outcomes: ofOperation });
          for (const outcome of ofOperation) {
            assertHarmless(outcome);
            const warnings = outcome.warnings.filter(warning => !isOfSystem(warning));
            if (fault.isHarmless) assert.deepEqual(warnings, []);
          }
        });
      }

      after(() => {
        lines.set(fault, tableLines(fault, outcomes));
        for (const line of printedLines(outcomes)) console.log(`      ${line}`);
      });
    });
  }

  // The tests of a suite run before the suites in it.
  describe('in all these ways', () => {
    it([`has the outcomes of ${DOCUMENT}`, ...incomparable].join(', '), () => {
      if (!disk)
        console.log('      No small disk can be mounted here: what happens on a full disk was not tried');
      const text = readFileSync(DOCUMENT, 'utf8');
      const heads = [...tableHead, ...diskTableHead];
      const before = text.split('\n').filter(line => line.startsWith('| ') && !heads.includes(line));
      const isOf = (fault: Fault) => (line: string) => line.startsWith(`| ${fault.does} |`);
      const all = [...connectionFaults, ...bodyFaults, ...statusFaults, ...jobFaults, ...diskFaults];
      // What was not tried stays as it is.
      const isCompared = ({ needs }: Fault) => !needs || missing[needs] === undefined;
      const linesOf = (fault: Fault) => (isCompared(fault) && lines.get(fault)) || before.filter(isOf(fault));
      const ofService = all.flatMap(linesOf);
      const ofDisks = foreignDiskFaults.flatMap(linesOf);
      const table = [...tableHead, ...ofService, '', ...diskTableHead, ...ofDisks].join('\n');
      if (isWriting) writeFileSync(DOCUMENT, `${text.slice(0, text.indexOf(tableHead[0] ?? ''))}${table}\n`);
      else
        assert.deepEqual(
          before,
          [...ofService, ...ofDisks],
          'if this is as it should be: npm test -- --only faults --write',
        );
    });
  });
});

/**
 * Whether a warning comes of what this system can't do, with any fault or none: windows meet by
 * pipes on Windows.
 */
function isOfSystem(warning: string): boolean {
  return missing.listedPipes !== undefined && warning.startsWith("This window doesn't share its requests");
}

function assertHarmless({
  told,
  texts,
  filesLeft,
  isKeyLeaked,
  postsRepeated,
  lost,
  uncoded,
}: Outcome): void {
  // It ended, and what was thrown is an error with a code.
  assert.ifError(uncoded);
  assert.notEqual(told, '');
  for (const text of texts) for (const forbidden of FORBIDDEN) assert.doesNotMatch(text, forbidden);
  assert.deepEqual(filesLeft, []);
  assert.deepEqual(lost, []);
  assert.equal(isKeyLeaked, false, 'the key was sent where it does not belong');
  assert.equal(postsRepeated, 0, 'a POST was repeated');
}
