/** How far an upload of several files is. */
export interface UploadProgress {
  /** Name of the file that moved last. */
  file: string;
  /** Files that are through, well or badly. */
  filesDone: number;
  filesTotal: number;
  bytesSent: number;
  bytesTotal: number;
  /** Over the last ten seconds; absent before a second has passed. */
  bytesPerSecond?: number;
  secondsLeft?: number;
}

const WINDOW = 10_000;
const BETWEEN_REPORTS = 100;

/** Adds up what several uploads report, and tells at most ten times a second, and whenever a file is through. */
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

  /** More bytes of a file have gone. */
  sent(file: string, bytes: number): void {
    this.bytesSent += bytes;
    const at = this.now();
    if (at - this.lastReport >= BETWEEN_REPORTS) this.tell(file, at);
  }

  /** A file turned out to be longer or shorter than it was when the upload began. */
  resized(difference: number): void {
    this.bytesTotal += difference;
  }

  /** A file is through; what of it was not sent never will be. */
  done(file: string, unsent: number): void {
    this.filesDone += 1;
    this.bytesTotal -= unsent;
    this.tell(file, this.now());
  }

  private tell(file: string, at: number): void {
    this.lastReport = at;
    this.samples.push({ at, bytes: this.bytesSent });
    // The first sample is the newest one that is at least a window old.
    while (this.samples.length > 2 && at - (this.samples[1]?.at ?? at) >= WINDOW) this.samples.shift();
    const first = this.samples[0] ?? { at, bytes: this.bytesSent };
    const seconds = (at - first.at) / 1000;
    const rate = seconds >= 1 ? (this.bytesSent - first.bytes) / seconds : undefined;
    const left = Math.max(0, this.bytesTotal - this.bytesSent);
    this.report({
      file,
      filesDone: this.filesDone,
      filesTotal: this.filesTotal,
      bytesSent: this.bytesSent,
      bytesTotal: this.bytesTotal,
      ...(rate !== undefined && { bytesPerSecond: rate }),
      ...(rate !== undefined && rate > 0 && { secondsLeft: left / rate }),
    });
  }
}
