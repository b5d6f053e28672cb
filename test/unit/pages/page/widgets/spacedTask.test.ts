import { deepEqual } from 'node:assert/strict';
import { mock } from 'node:test';
import { SpacedTask } from '../../../../../src/pages/page/widgets/timing';

describe('A spaced task', () => {
  it('runs at once, and then once for all that was scheduled within its interval', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let runs = 0;
      const task = new SpacedTask(() => runs++, 60);
      const after = (ms: number) => {
        mock.timers.tick(ms);
        return runs;
      };
      task.schedule();
      const atOnce = runs;
      task.schedule();
      task.schedule();
      const seen = [atOnce, after(59), after(1), after(60), after(1000)];
      task.schedule();
      task.schedule();
      task.runNow();
      seen.push(runs, after(1000));
      task.schedule();
      task.schedule();
      task.cancel();
      seen.push(runs, after(1000));
      deepEqual(seen, [1, 1, 2, 2, 2, 4, 4, 5, 5]);
    } finally {
      mock.timers.reset();
    }
  });
});
