import assert from 'node:assert/strict';
import { optionsOf } from '../../bench/measured/benchmark';
import { processorMs } from '../../bench/measured/programs';
import {
  compareRounds,
  costOf,
  inTurn,
  medianOf,
  spreadOf,
  type Cost,
  type Round,
} from '../../bench/measured/rounds';

const round = (ours: readonly [number, number], peer: readonly [number, number]): Round => ({
  ours: { wallMs: ours[0], cpuMs: ours[1] },
  peer: { wallMs: peer[0], cpuMs: peer[1] },
});

describe('Rounds of a benchmark', () => {
  it('have the middle value as their median, or the mean of the two in the middle', () => {
    assert.equal(medianOf([9, 1, 5]), 5);
    assert.equal(medianOf([9, 1, 5, 6]), 5.5);
    assert.deepEqual(spreadOf([3, 10, 2]), { min: 2, median: 3, max: 10 });
  });

  it('have no median and no spread where there are none, or one of them is unknown', () => {
    assert.equal(medianOf([]), NaN);
    assert.deepEqual(spreadOf([1, NaN, 2]), { min: NaN, median: NaN, max: NaN });
  });

  it('are compared round by round, and wall times apart from those of the processor', () => {
    // The machine was ten times as slow in the second round; medians of the sides would say 1.
    const { rounds, ours, peer, wallRatio, cpuRatio } = compareRounds([
      round([10, 8], [5, 8]),
      round([100, 9], [50, 6]),
      round([12, 8], [8, 2]),
    ]);
    assert.equal(rounds, 3);
    assert.deepEqual(ours.wallMs, { min: 10, median: 12, max: 100 });
    assert.deepEqual(peer.cpuMs, { min: 2, median: 6, max: 8 });
    assert.deepEqual(wallRatio, { min: 1.5, median: 2, max: 2 });
    assert.deepEqual(cpuRatio, { min: 1, median: 1.5, max: 4 });
  });

  it('are compared by wall time alone where the system tells no processor time of the peer', () => {
    const { wallRatio, cpuRatio } = compareRounds([round([10, 8], [5, NaN])]);
    assert.equal(wallRatio.median, 2);
    assert.equal(JSON.stringify(cpuRatio), '{"min":null,"median":null,"max":null}');
  });

  it('begin with one side and with the other in turn, and keep what belongs together', async () => {
    const order: string[] = [];
    const side = (name: string) => (at: number) => {
      order.push(`${name}${at}`);
      return { wallMs: at, cpuMs: at, name };
    };
    const rounds = await inTurn(3, side('ours'), side('peer'));
    assert.deepEqual(order, ['ours0', 'peer0', 'peer1', 'ours1', 'ours2', 'peer2']);
    assert.deepEqual(
      rounds.map(({ ours, peer }) => [ours.name, ours.wallMs, peer.name, peer.wallMs]),
      [0, 1, 2].map(at => ['ours', at, 'peer', at]),
    );
  });

  it('count the processor time of work', async () => {
    let worked = 0;
    const work: Cost = await costOf(() => {
      const before = process.cpuUsage();
      do worked = process.cpuUsage(before).user;
      while (worked < 10_000);
    });
    assert.ok(work.cpuMs >= worked / 1000, `${work.cpuMs} ms of at least ${worked / 1000}`);
  });
});

describe('The processor time that bash tells', () => {
  it('is user and system time together, in milliseconds', () => {
    assert.equal(processorMs('0.104 0.021\n'), 125);
  });

  it('is unknown where something else is told', () => {
    for (const text of ['', '0,104 0,021\n', 'bash: curl: command not found\n0.001 0.000\n'])
      assert.equal(processorMs(text), NaN);
  });
});

describe('Options of a benchmark', () => {
  const defaults = { rounds: 5, only: '' };

  it('are what the command line says, and else their defaults', () => {
    assert.deepEqual(optionsOf(defaults, ['--only', 'small', '--json']), { rounds: 5, only: 'small' });
    assert.deepEqual(optionsOf(defaults, ['--rounds=12']), { rounds: 12, only: '' });
  });

  it('are refused where a number is none', () => {
    for (const text of ['abc', '', '0', '1.5', '-3', '1e3', '3 rounds'])
      assert.throws(() => optionsOf(defaults, [`--rounds=${text}`]), {
        message: `--rounds takes a whole number from 1, not "${text}"`,
      });
  });

  it('are refused where no benchmark has them', () => {
    assert.throws(() => optionsOf(defaults, ['--round', '5']), /--round/);
  });
});
