import { readFile, stat } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { writeAtomicFile } from '../../../base/node/atomicFile';
import { CodedError, toPlainError } from '../../../base/errors';
import type { ImageResult } from '../analysis/analyzeImage';
import { writeMasksArchive } from './masksArchive';
import { masksEntry } from './masksEntry';
import type {
  ThreadResponse,
  ThreadImage,
  ThreadRequest,
  ThreadTaskName,
  ThreadTasks,
} from './threadMessages';
import { writeImages } from '../images/writeImages';

/** An image is read as a whole; larger files are rejected, to not run out of memory. */
const MAX_IMAGE_BYTES = 512 * 1024 * 1024;

type TaskHandlers = {
  [K in ThreadTaskName]: (params: ThreadTasks[K]['params']) => Promise<ThreadTasks[K]['result']>;
};

/** The worker thread's side: runs the tasks of threadMessages, one after another. */
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
    const { pipelines } = await import('../analysis/pipelines');
    const { analyzeImage } = await import('../analysis/analyzeImage');
    const pipeline = pipelines.find(({ id }) => id === pipelineId);
    if (!pipeline)
      throw new CodedError('bad-request', `The pipeline with the ID "${pipelineId}" no longer exists`);
    const { size } = await stat(path);
    if (size > MAX_IMAGE_BYTES) {
      const reason = `the sample service analyzes images of up to ${MAX_IMAGE_BYTES >> 20} MB, this one has ${Math.ceil(size / 2 ** 20)} MB`;
      throw new CodedError('bad-request', reason);
    }
    // To cancel, the service kills the thread.
    const result = await analyzeImage(await readFile(path), fileName, pipeline, new AbortController().signal);
    await writeResult(resultPath, JSON.stringify(result));
    return {};
  },

  async report({ images, name, objectsPath, aggregatePath }) {
    const { aggregateCsv, objectsCsv } = await import('../analysis/reports');
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
    const written = await writeImages(directory);
    return { images: written.map(({ name, path, size }) => ({ name, path, size })) };
  },
};

/** Readable by the owner alone, as everything in the service's folder. */
function writeResult(path: string, content: string): Promise<void> {
  return writeAtomicFile(path, file => file.writeFile(content), { mode: 0o600 });
}

async function readResult(path: string): Promise<ImageResult> {
  return JSON.parse(await readFile(path, 'utf8')) as ImageResult;
}

/** An image's result without its masks: for a large job only the numbers fit in memory. */
async function readMeasurements({ imageId, origin, resultPath }: ThreadImage) {
  const result = await readResult(resultPath);
  for (const object of result.objects) {
    object.rle.counts = '';
    delete object.rleFullFrame;
  }
  return { imageId, origin, result };
}
