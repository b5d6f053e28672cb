import { readFile, stat } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { CodedError, toPlainError } from '../base/errors';
import type { ImageResult } from './analysis/analyseImage';
import { writeMasksArchive } from './masksArchive';
import { masksEntry } from './masksEntry';
import type { ThreadAnswer, ThreadImage, ThreadRequest, ThreadTaskName, ThreadTasks } from './threadMessages';
import { writeAside } from './writeAside';
import { writePictures } from './writePictures';

/** A picture is read as a whole; larger files are refused rather than risk the machine's memory. */
const MAX_PICTURE_BYTES = 512 * 1024 * 1024;

type TaskHandlers = {
  [K in ThreadTaskName]: (params: ThreadTasks[K]['params']) => Promise<ThreadTasks[K]['result']>;
};

/** What runs in the worker thread: answers the tasks of threadMessages, one after another. */
export function runThread(port: MessagePort): void {
  port.on('message', (request: ThreadRequest) => void answer(request).then(value => port.postMessage(value)));
}

async function answer({ task, params }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    return { ok: true, result: await (handlers[task] as (params: unknown) => Promise<unknown>)(params) };
  } catch (error) {
    return { ok: false, error: toPlainError(error) };
  }
}

// The decoders and the analysis are loaded by the first task that needs them.
const handlers: TaskHandlers = {
  async analyse({ pipelineId, path, fileName, resultPath }) {
    const { pipelines } = await import('./analysis/pipelines');
    const { analyseImage } = await import('./analysis/analyseImage');
    const pipeline = pipelines.find(({ id }) => id === pipelineId);
    if (!pipeline)
      throw new CodedError('bad-request', `There is no pipeline with the id "${pipelineId}" any more`);
    const { size } = await stat(path);
    if (size > MAX_PICTURE_BYTES) {
      const reason = `the sample service analyses pictures of up to ${MAX_PICTURE_BYTES >> 20} MB, this one has ${Math.ceil(size / 2 ** 20)} MB`;
      throw new CodedError('bad-request', reason);
    }
    // To cancel, the service kills the thread.
    const result = await analyseImage(await readFile(path), fileName, pipeline, new AbortController().signal);
    await writeAside(resultPath, JSON.stringify(result));
    return {};
  },

  async report({ images, name, objectsPath, aggregatePath }) {
    const { aggregateCsv, objectsCsv } = await import('./analysis/reports');
    const results = [];
    for (const image of images) results.push(await readMeasurements(image));
    await writeAside(objectsPath, objectsCsv(results));
    await writeAside(aggregatePath, aggregateCsv(results, name));
    return {};
  },

  async masksEntry({ imageId, fileName, resultPath, maskShape, entryPath }) {
    await writeAside(entryPath, masksEntry(imageId, fileName, await readResult(resultPath), maskShape));
    return {};
  },

  async masksArchive({ path, entries, ...run }) {
    await writeMasksArchive(path, entries, run);
    return {};
  },

  async pictures({ directory }) {
    const written = await writePictures(directory);
    return { pictures: written.map(({ name, path, size }) => ({ name, path, size })) };
  },
};

async function readResult(path: string): Promise<ImageResult> {
  return JSON.parse(await readFile(path, 'utf8')) as ImageResult;
}

/** An image's result without its masks: of a large job only the numbers are held at once. */
async function readMeasurements({ imageId, origin, resultPath }: ThreadImage) {
  const result = await readResult(resultPath);
  for (const object of result.objects) {
    object.rle.counts = '';
    delete object.rleFullFrame;
  }
  return { imageId, origin, result };
}
