import { AnalysisClient } from '../../../../../src/service/node/client';
import { every } from '../../../../../src/base/clock';
import { silentLog } from '../../../../../src/base/log';
import { CrossWindowFolder } from '../../../../../src/base/node/crossWindowFolder';
import { thisProcess } from '../../../../../src/base/node/thisProcess';
import { SubmitFiles } from '../../../../../src/jobs/node/submitFiles';
import { SubmitGuard } from '../../../../../src/jobs/node/submitGuard';
import { TransportFixture } from '../../../service/node/transportFixture';

/** What a test has a window's process do. */
export type SubmitOrder = { submit: string } | { masks: string };

// A window as a process of its own; its arguments are the folder that windows share, and the
// address of the service.
const [, , folder = '', origin = ''] = process.argv;

/** Says when it is first looked at. */
class WatchedFolder extends CrossWindowFolder {
  override async list(path: string): Promise<string[]> {
    const names = await super.list(path);
    process.send?.('looked');
    return names;
  }
}

void thisProcess().then(currentProcess => {
  const files = new SubmitFiles({
    files: new WatchedFolder(folder),
    currentProcess,
    every,
    log: silentLog,
  });
  const fixture = new TransportFixture();
  const guard = new SubmitGuard(new AnalysisClient(fixture.connect(origin)), { files });
  process.on('message', (order: SubmitOrder) => {
    const work =
      'submit' in order
        ? guard.submit({ pipelineId: 'p', filesystemIds: [order.submit], name: 'plate 7' })
        : guard.submitMasks(order.masks);
    work.then(
      done => process.send?.(done),
      (error: unknown) => process.send?.({ failed: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
});
