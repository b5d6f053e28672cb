import { AnalysisClient } from '../../service/node/client';
import type { NetworkSettings } from '../../service/node/networkSettings';
import { ServiceHost } from '../../service/node/serviceHost';
import { Transport, type TransportOptions } from '../../service/node/transport';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { every } from '../../base/clock';
import { reason } from '../../base/reasons';
import { CrossWindowFolder } from '../../base/node/crossWindowFolder';
import type { ThisProcess } from '../../base/node/thisProcess';
import type { Log } from '../../base/log';
import { kindsOfRuns } from './kindsOfRuns';
import { AwaitedResults, EndClaims } from '../../jobs/node/jobEnds';
import { JobTracker } from '../../jobs/node/jobTracker';
import { PendingJobs } from '../../jobs/node/pendingJobs';
import { MeetingPlace } from '../../jobs/node/meetingPlace';
import { CrossWindowPolling } from '../../jobs/node/crossWindowPolling';
import { WindowGroup } from '../../jobs/node/windowGroup';
import { SubmitFiles } from '../../jobs/node/submitFiles';
import { RunRecords, SubmittedJobs } from '../../jobs/node/runRecords';
import { SubmitGuard } from '../../jobs/node/submitGuard';
import { ResultFiles } from '../../results/node/resultFiles';
import { LineLog } from '../../base/node/lineLog';
import { readReason } from '../../words/reasonWords';
import { UploadHashes, UploadRecords } from '../../uploads/node/uploadRecords';
import { uploadBatches } from '../../uploads/node/uploadBatches';
import { AccountRuns } from '../../jobs/node/accountRuns';
import { JobFacts } from '../../jobs/node/jobFacts';
import { AccountUploads } from '../../uploads/node/accountUploads';
import { SubmitChoices } from '../../jobs/node/submitChoices';
import type { MaskedLog } from '../../host/logEntries';
import type { JobSession } from '../../jobs/node/jobSessions';
import type { Account, Accounts } from '../../accounts/node/accounts';
import type { SampleProcess } from '../../sample/node/sampleProcess';
import type { Settings } from '../../host/settings';
import { StateFiles } from '../../accounts/node/stateFiles';
import type { Engine } from '../../session/engineProtocol';

/** The services of one signed-in account: client, job tracker, result files, state, and others. */
export class AccountSession implements JobSession, Disposable {
  private readonly store = new DisposableStore();
  readonly client: AnalysisClient;
  readonly submitGuard: SubmitGuard;
  readonly tracker: JobTracker;
  readonly polling: CrossWindowPolling;
  readonly endClaims: EndClaims;
  readonly submittedJobs: SubmittedJobs;
  readonly jobFacts: JobFacts;
  readonly uploadRecords: UploadRecords;
  readonly uploadHashes: UploadHashes;
  readonly uploads: AccountUploads;
  readonly resultFiles: ResultFiles;
  readonly runs: AccountRuns;
  readonly state: StateFiles;
  readonly submitChoices: SubmitChoices;
  readonly awaited = new AwaitedResults();
  readonly log: Log;

  constructor(
    readonly account: Account,
    dependencies: AccountSessionDependencies,
    currentProcess: ThisProcess,
  ) {
    const { accounts, sample, settings, network: readNetwork, startEngine, log, testing = {} } = dependencies;
    const { now, delay, uploadTimes } = testing;
    const folder = accounts.folder(account.id);
    const network = readNetwork();
    const serviceHost = new ServiceHost(account.baseUrl);
    this.log = log;
    this.state = this.store.add(new StateFiles(folder.state));
    this.submitChoices = this.store.add(new SubmitChoices(this.state));
    const transport = this.store.add(
      new Transport({
        baseUrl: account.baseUrl,
        network,
        log,
        delay,
        now,
        uploadTimes,
        serviceHost,
        apiKey: async () => {
          if (account.sample) await ensureSample(await sample(), account);
          const key = await accounts.key(account.id);
          log.addSecret(key);
          return key;
        },
      }),
    );
    this.client = new AnalysisClient(transport);
    this.endClaims = this.store.add(new EndClaims(folder.finishedJobs));
    const records = new RunRecords(new CrossWindowFolder(folder.runs), kindsOfRuns);
    this.submittedJobs = new SubmittedJobs(records, this.state);
    this.jobFacts = this.store.add(
      new JobFacts({ lines: new LineLog(folder.state, 'jobFacts', JobFacts.LIMITS), log }),
    );
    this.submitGuard = new SubmitGuard(this.client, {
      delay,
      files: this.store.add(
        new SubmitFiles({ files: new CrossWindowFolder(folder.submits), currentProcess, every, log }),
      ),
      isKnown: jobId => this.submittedJobs.isKnown(jobId),
    });
    const recordLines = new LineLog(folder.state, 'uploads', UploadRecords.LIMITS);
    this.uploadRecords = this.store.add(new UploadRecords({ lines: recordLines, log }));
    this.uploadHashes = this.store.add(new UploadHashes({ records: this.uploadRecords, startEngine, log }));
    this.uploads = this.store.add(
      new AccountUploads({
        client: this.client,
        records: this.uploadRecords,
        hashes: this.uploadHashes,
        batches: uploadBatches(folder.uploads, currentProcess, log),
        log,
      }),
    );
    this.runs = this.store.add(
      new AccountRuns({
        account,
        client: this.client,
        records,
        facts: this.jobFacts,
        uploads: this.uploadRecords,
        extensionVersion: dependencies.extensionVersion,
        log,
      }),
    );
    this.tracker = this.store.add(
      new JobTracker({
        client: this.client,
        polls: new AnalysisClient(transport, { once: true }),
        pending: new PendingJobs(new CrossWindowFolder(folder.jobs), this.state, log),
        log,
        intervalSeconds: () => settings.pollingInterval,
        delay,
        now,
      }),
    );
    const group = this.store.add(
      new WindowGroup({
        place: () => MeetingPlace.open(folder.windowNonce),
        // A window in another browser shares the account's folder, but may not have its key.
        mayLead: () => accounts.hasKey(account.id),
        every,
        now,
        log,
      }),
    );
    this.polling = this.store.add(
      new CrossWindowPolling({ tracker: this.tracker, group, readReason, now, log }),
    );
    void group.join();
    this.resultFiles = this.store.add(
      new ResultFiles({
        client: this.client,
        directory: folder.results,
        former: folder.formerResults,
        network,
        service: serviceHost,
        log,
        cacheBytes: () => settings.resultsCacheBytes,
        delay,
        now,
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }
}

export interface AccountSessionDependencies {
  accounts: Accounts;
  sample: () => Promise<SampleProcess>;
  settings: Settings;
  /** Reads the current network settings. */
  network: () => NetworkSettings;
  startEngine: () => Engine | Promise<Engine>;
  extensionVersion: string;
  log: MaskedLog;
  /** For tests: the clock of requests, submits, polls and downloads. */
  testing?: Pick<TransportOptions, 'delay' | 'now' | 'uploadTimes'>;
}

/** Makes sure that the sample service, which stops when unused, runs at its account's address. */
async function ensureSample(sample: SampleProcess, account: Account): Promise<void> {
  const { baseUrl } = await sample.ensureRunning();
  if (baseUrl !== account.baseUrl) {
    throw new CodedError('network', 'The sample service has moved to another port', {
      reason: reason('The sample service now runs at {0}. Start it again from the Command Palette', baseUrl),
    });
  }
}
