/** Parts of a result that panels show; `file`: a local file's table, `image`: an image file. */
export const resultParts = ['objects', 'aggregate', 'masks', 'file', 'image'] as const;

export type ResultPart = (typeof resultParts)[number];

/** The parts that are tables. */
export type TableKind = Exclude<ResultPart, 'masks' | 'image'>;

/** The parts that are downloaded from the service. */
export type DownloadedPart = Exclude<ResultPart, 'file' | 'image'>;
