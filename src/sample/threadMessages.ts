import type { PlainError } from '../base/errors';

/** One image of a job as the thread needs it. */
export interface ThreadImage {
  /** Id of the filesystem item. */
  imageId: string;
  /** Slash-separated folder path and file name. */
  origin: string;
  /** Where the ImageResult lies as JSON. */
  resultPath: string;
}

/** What the service asks of its thread; one task at a time. Paths are absolute. */
export interface ThreadTasks {
  /** Analyses the picture at `path` and writes its ImageResult. */
  analyse: {
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
  /** Writes the sample pictures into a folder; existing files are left as they are. */
  pictures: {
    params: { directory: string };
    result: { pictures: { name: string; path: string; size: number }[] };
  };
}

export type ThreadTaskName = keyof ThreadTasks;

/** What is posted to the thread. */
export interface ThreadRequest<K extends ThreadTaskName = ThreadTaskName> {
  task: K;
  params: ThreadTasks[K]['params'];
}

/** What the thread posts back, once for each request. */
export type ThreadAnswer = { ok: true; result: unknown } | { ok: false; error: PlainError };
