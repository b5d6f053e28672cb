import * as path from 'node:path';
import { AnalysisClient } from '../api/client';
import { Transport } from '../api/transport';
import { DisposableStore, type Disposable } from '../base/disposable';
import { CodedError } from '../base/errors';
import type { Log } from '../base/log';
import { EndClaims } from '../jobs/endClaims';
import { JobTracker } from '../jobs/jobTracker';
import { SubmitGuard } from '../jobs/submitGuard';
import { SubmittedJobs } from '../jobs/submittedJobs';
import { ResultFiles } from '../results/resultFiles';
import { UploadRecords } from '../uploads/uploadRecords';
import type { Account, Accounts } from './account';
import { readNetworkSettings } from './network';
import type { SampleService } from './sampleService';
import type { Settings } from './settings';
import { StateFiles } from './stateFiles';
import type { OutputLog } from './log';

/** Everything that works for one account: its client, tracker, results and memory. Gone when the account goes. */
export class AccountSession implements Disposable {
  private readonly store = new DisposableStore();
  readonly client: AnalysisClient;
  readonly submitGuard: SubmitGuard;
  readonly tracker: JobTracker;
  readonly endClaims: EndClaims;
  readonly submittedJobs: SubmittedJobs;
  readonly uploadRecords: UploadRecords;
  readonly resultFiles: ResultFiles;
  readonly state: StateFiles;
  readonly log: Log;

  constructor(
    readonly account: Account,
    { accounts, sample, settings, log }: AccountSessionParts,
  ) {
    const folder = accounts.folder(account.id);
    const network = readNetworkSettings();
    this.log = log;
    this.state = this.store.add(new StateFiles(path.join(folder, 'state')));
    const transport = this.store.add(
      new Transport({
        baseUrl: account.baseUrl,
        network,
        log,
        apiKey: async () => {
          if (account.sample) await ensureSample(sample, account);
          const key = await accounts.key(account.id);
          log.addSecret(key);
          return key;
        },
      }),
    );
    this.client = new AnalysisClient(transport);
    this.submitGuard = new SubmitGuard(this.client);
    this.endClaims = this.store.add(new EndClaims(path.join(folder, 'ended')));
    this.submittedJobs = new SubmittedJobs(this.state);
    this.uploadRecords = new UploadRecords(this.state);
    this.tracker = this.store.add(
      new JobTracker({
        client: this.client,
        state: this.state,
        log,
        intervalSeconds: () => settings.pollingInterval,
      }),
    );
    this.resultFiles = this.store.add(
      new ResultFiles({
        client: this.client,
        directory: path.join(folder, 'results'),
        network,
        log,
        cacheBytes: () => settings.resultsCacheBytes,
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }
}

export interface AccountSessionParts {
  accounts: Accounts;
  sample: SampleService;
  settings: Settings;
  log: OutputLog;
}

/** The sample service sleeps when unused; a request to its account wakes it, at the address the account knows. */
async function ensureSample(sample: SampleService, account: Account): Promise<void> {
  const { baseUrl } = await sample.ensureRunning();
  if (baseUrl !== account.baseUrl) {
    throw new CodedError('network', 'The sample service has moved to another port', {
      reason: `The sample service now runs at ${baseUrl}; start it again from the palette`,
    });
  }
}
