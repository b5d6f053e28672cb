import {
  canceledError,
  CodedError,
  fromPlainError,
  type PlainError,
  throwIfCanceled,
  toPlainError,
} from '../../base/errors';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { quoted } from '../../base/reasons';
import type { ImageResult } from './analysis/analyzeImage';
import { writeImages, writeStudyImage } from './images/writeImages';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type MessagePort, Worker } from 'node:worker_threads';
import { ZipFile } from 'yazl';

/**
 * A worker thread for analyses, which would delay requests on the service's own thread. If the
 * thread crashes, its task fails with `job-failed` and the reason, and the service continues.
 */
export class AnalysisThread {
  private readonly worker: Worker;
  private pending: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  private ended: Error | undefined;

  /** `file` is a bundle of main.ts. */
  constructor(file: string) {
    // The thread's output is discarded: stdout is only for the line that says the service is ready.
    this.worker = new Worker(file, { stdout: true, stderr: true });
    this.worker.stdout.resume();
    this.worker.stderr.resume();
    this.worker.on('message', (response: ThreadResponse) => {
      const pending = this.removePending();
      if (response.ok) pending?.resolve(response.result);
      else pending?.reject(fromPlainError(response.error));
    });
    this.worker.on('messageerror', error => this.end(crashError(error.message)));
    this.worker.on('error', error =>
      this.end(crashError(error instanceof Error ? error.message : String(error))),
    );
    this.worker.on('exit', code => this.end(crashError(`exit code ${code}`)));
  }

  /** Runs a task to its end. When the signal fires, the thread is killed for good. */
  async run<K extends ThreadTaskName>(
    task: K,
    params: ThreadTasks[K]['params'],
    signal: AbortSignal,
  ): Promise<ThreadTasks[K]['result']> {
    throwIfCanceled(signal);
    if (this.ended) throw this.ended;
    if (this.pending) throw new Error('The analysis thread does one task at a time');
    const onAbort = () => {
      this.end(canceledError());
      void this.worker.terminate();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await new Promise<unknown>((resolve, reject) => {
        this.pending = { resolve, reject };
        this.worker.postMessage({ task, params });
      });
      return result as ThreadTasks[K]['result'];
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the thread; resolves when it has exited. */
  async close(): Promise<void> {
    this.end(canceledError());
    await this.worker.terminate();
  }

  private end(reason: Error): void {
    this.ended ??= reason;
    this.removePending()?.reject(this.ended);
  }

  private removePending() {
    const pending = this.pending;
    this.pending = undefined;
    return pending;
  }
}

function crashError(cause: string): CodedError {
  const message = `The analysis stopped unexpectedly (${cause})`;
  return new CodedError('job-failed', message, { reason: quoted(message) });
}

/** One image of a job as the thread needs it. */
export interface ThreadImage {
  /** ID of the filesystem item. */
  imageId: string;
  /** Slash-separated folder path and file name. */
  origin: string;
  /** Where the ImageResult is stored as JSON. */
  resultPath: string;
}

/** Tasks of the worker thread, one at a time. Paths are absolute. */
interface ThreadTasks {
  /** Analyses the image at `path` and writes its ImageResult. */
  analyze: {
    params: { pipelineId: string; path: string; fileName: string; resultPath: string };
    result: Record<string, never>;
  };
  /** Writes both CSV reports of a job. */
  report: {
    params: { images: ThreadImage[]; name: string; objectsPath: string; aggregatePath: string };
    result: Record<string, never>;
  };
  /** Writes one image's entry of a masks archive. */
  masksEntry: {
    params: {
      imageId: string;
      fileName: string;
      resultPath: string;
      maskShape: 'cropped' | 'full-frame';
      entryPath: string;
    };
    result: Record<string, never>;
  };
  /** Zips the entries and their index. */
  masksArchive: {
    params: {
      resultId: string;
      dateRun: string;
      classNames: readonly string[];
      entries: { imageId: string; path: string }[];
      path: string;
    };
    result: Record<string, never>;
  };
  /** Writes the sample images except the study's into a folder; existing files are unchanged. */
  images: {
    params: { directory: string };
    result: { images: { name: string; path: string; size: number }[] };
  };
  /** Writes one image of the study, unless the file exists. */
  studyImage: { params: { name: string; path: string }; result: Record<string, never> };
}

type ThreadTaskName = keyof ThreadTasks;

/** A message to the thread. */
interface ThreadRequest<K extends ThreadTaskName = ThreadTaskName> {
  task: K;
  params: ThreadTasks[K]['params'];
}

/** The thread's reply to one request. */
type ThreadResponse = { ok: true; result: unknown } | { ok: false; error: PlainError };

/** Larger files are rejected: an image is read as a whole, and memory must not run out. */
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;

type TaskHandlers = {
  [K in ThreadTaskName]: (params: ThreadTasks[K]['params']) => Promise<ThreadTasks[K]['result']>;
};

/** Runs the tasks that arrive at the worker thread's port. */
export function runThread(port: MessagePort): void {
  port.on(
    'message',
    (request: ThreadRequest) => void run(request).then(response => port.postMessage(response)),
  );
}

async function run({ task, params }: ThreadRequest): Promise<ThreadResponse> {
  try {
    return { ok: true, result: await (handlers[task] as (params: unknown) => Promise<unknown>)(params) };
  } catch (error) {
    return { ok: false, error: toPlainError(error) };
  }
}

// The decoders and the analysis are loaded by the first task that needs them.
const handlers: TaskHandlers = {
  async analyze({ pipelineId, path, fileName, resultPath }) {
    const { pipelines } = await import('./analysis/pipelines');
    const { analyzeImage } = await import('./analysis/analyzeImage');
    const pipeline = pipelines.find(({ id }) => id === pipelineId);
    if (!pipeline)
      throw new CodedError('bad-request', `The pipeline with the ID "${pipelineId}" no longer exists`);
    const { size } = await stat(path);
    if (size > MAX_IMAGE_BYTES) {
      const reason = `the sample service analyzes images of up to ${MAX_IMAGE_BYTES >> 20} MB, this one has ${Math.ceil(size / 2 ** 20)} MB`;
      throw new CodedError('bad-request', reason);
    }
    // The signal is never aborted: to cancel, the service kills the thread.
    const result = await analyzeImage(await readFile(path), fileName, pipeline, new AbortController().signal);
    await writeResult(resultPath, JSON.stringify(result));
    return {};
  },

  async report({ images, name, objectsPath, aggregatePath }) {
    const { aggregateCsv, objectsCsv } = await import('./analysis/reports');
    const results = [];
    for (const image of images) results.push(await readMeasurements(image));
    await writeResult(objectsPath, objectsCsv(results));
    await writeResult(aggregatePath, aggregateCsv(results, name));
    return {};
  },

  async masksEntry({ imageId, fileName, resultPath, maskShape, entryPath }) {
    await writeResult(entryPath, masksEntry(imageId, fileName, await readResult(resultPath), maskShape));
    return {};
  },

  async masksArchive({ path, entries, ...run }) {
    await writeMasksArchive(path, entries, run);
    return {};
  },

  async images({ directory }) {
    const written = await writeImages(directory, 'single');
    return { images: written.map(({ name, path, size }) => ({ name, path, size })) };
  },

  async studyImage({ name, path }) {
    await writeStudyImage(name, path);
    return {};
  },
};

/** Writes a file that only the owner can read, like all files in the service's folder. */
function writeResult(path: string, content: string): Promise<void> {
  return writeAtomicFile(path, file => file.writeFile(content), { mode: 0o600 });
}

async function readResult(path: string): Promise<ImageResult> {
  return JSON.parse(await readFile(path, 'utf8')) as ImageResult;
}

/** Reads an image's result without its masks: a large job's masks don't fit in memory together. */
async function readMeasurements({ imageId, origin, resultPath }: ThreadImage) {
  const result = await readResult(resultPath);
  for (const object of result.objects) {
    object.rle.counts = '';
    delete object.rleFullFrame;
  }
  return { imageId, origin, result };
}

/**
 * The text of `{image_id}_objects.json` in a masks archive, as in the specification. `counts` is
 * base64 of the ASCII run-length text. By the pipeline's mask shape, `size` is the size of the
 * bounding box or of the whole image.
 */
function masksEntry(
  imageId: string,
  fileName: string,
  result: ImageResult,
  maskShape: 'cropped' | 'full-frame',
): string {
  const { width, height } = result;
  const objects: Record<string, unknown> = {};
  for (const { id, bbox, className, rle, rleFullFrame } of result.objects) {
    const mask = maskShape === 'full-frame' ? rleFullFrame : rle;
    if (!mask) throw new Error(`Object ${id} of "${fileName}" has no full-frame mask`);
    objects[id] = {
      bbox,
      id,
      rle: { size: mask.size, counts: Buffer.from(mask.counts, 'latin1').toString('base64') },
      pred_class: className,
      derived_objects: {},
    };
  }
  return JSON.stringify({ filename: fileName, id: imageId, height, width, objects });
}

/** Contents of index.json of a masks archive. */
interface MasksRun {
  resultId: string;
  /** ISO 8601, UTC, with milliseconds. */
  dateRun: string;
  classNames: readonly string[];
}

/** Zips index.json and the images' entries. The file at `path` appears only when complete. */
export async function writeMasksArchive(
  path: string,
  entries: readonly { imageId: string; path: string }[],
  run: MasksRun,
): Promise<void> {
  const { resultId, dateRun, classNames } = run;
  const classData = Object.fromEntries(classNames.map(name => [name, { name, type: 'Instance' }]));
  await writeAtomicFile(path, async file => {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    zip.on('error', (error: Error) => output.destroy(error));
    zip.addBuffer(Buffer.from(JSON.stringify({ resultId, dateRun, classData })), 'index.json');
    for (const entry of entries) zip.addFile(entry.path, `${entry.imageId}_objects.json`);
    zip.end();
    for await (const chunk of output) await file.appendFile(chunk as Buffer);
  });
}
