import type { PlainError } from '../../../base/errors';

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
export interface ThreadTasks {
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
  /** Writes the sample images into a folder; existing files are not changed. */
  images: {
    params: { directory: string };
    result: { images: { name: string; path: string; size: number }[] };
  };
}

export type ThreadTaskName = keyof ThreadTasks;

/** The message to the thread. */
export interface ThreadRequest<K extends ThreadTaskName = ThreadTaskName> {
  task: K;
  params: ThreadTasks[K]['params'];
}

/** The thread's message back, once for each request. */
export type ThreadResponse = { ok: true; result: unknown } | { ok: false; error: PlainError };
