/** How far an upload of several files is. */
export interface UploadProgress {
  /** Name of the file whose progress changed last. */
  file: string;
  /** Files that are finished, uploaded or failed. */
  filesDone: number;
  filesTotal: number;
  bytesSent: number;
  bytesTotal: number;
  /** Over the last ten seconds; absent before a second has passed. */
  bytesPerSecond?: number;
  secondsLeft?: number;
}

/** Time over which the rate is measured. Milliseconds. */
const WINDOW_MS = 10_000;
const MIN_REPORT_INTERVAL_MS = 100;
const MIN_SAMPLE_INTERVAL_MS = 100;

/** Adds up the progress of several uploads; reports at most ten times a second, and whenever a file is finished. */
export class UploadMeter {
  private readonly samples: { at: number; bytes: number }[] = [];
  private filesDone = 0;
  private bytesSent = 0;
  private lastReport = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly filesTotal: number,
    private bytesTotal: number,
    private readonly report: (progress: UploadProgress) => void,
    private readonly now: () => number,
  ) {
    this.samples.push({ at: now(), bytes: 0 });
  }

  /** More bytes of a file were sent. */
  sent(file: string, bytes: number): void {
    this.bytesSent += bytes;
    const at = this.now();
    if (at - this.lastReport >= MIN_REPORT_INTERVAL_MS) this.update(file, at);
  }

  /** A file turned out to be longer or shorter than it was when the upload began. */
  resized(difference: number): void {
    this.bytesTotal += difference;
  }

  /** A file is finished; `unsent` bytes of it never will be sent. */
  done(file: string, unsent: number): void {
    this.filesDone += 1;
    this.bytesTotal -= unsent;
    this.update(file, this.now());
  }

  /** A file that was finished is sent again, as a whole. */
  again(size: number): void {
    this.filesDone -= 1;
    this.bytesTotal += size;
  }

  private update(file: string, at: number): void {
    this.lastReport = at;
    // Thousands of files may be finished within a window.
    if (at - (this.samples.at(-1)?.at ?? 0) >= MIN_SAMPLE_INTERVAL_MS)
      this.samples.push({ at, bytes: this.bytesSent });
    // The first sample is the newest one that is at least a window old.
    while (this.samples.length > 2 && at - (this.samples[1]?.at ?? at) >= WINDOW_MS) this.samples.shift();
    const first = this.samples[0] ?? { at, bytes: this.bytesSent };
    const seconds = (at - first.at) / 1000;
    const rate = seconds >= 1 ? (this.bytesSent - first.bytes) / seconds : undefined;
    const left = Math.max(0, this.bytesTotal - this.bytesSent);
    const { filesDone, filesTotal, bytesSent, bytesTotal } = this;
    const progress: UploadProgress = { file, filesDone, filesTotal, bytesSent, bytesTotal };
    if (rate !== undefined) progress.bytesPerSecond = rate;
    if (rate !== undefined && rate > 0) progress.secondsLeft = left / rate;
    this.report(progress);
  }
}
