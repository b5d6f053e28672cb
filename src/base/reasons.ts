/**
 * Why something failed, or what the user should know about what was read: a message in English with {0}, {1}… and its
 * arguments, which `src/words` translates at the end. Made where the cause is found, by `reason('…')`.
 */
export type Reason =
  | {
      readonly message: string;
      readonly args: readonly (string | number)[];
      /** Where code tells this reason from others. */
      readonly code?: ReasonCode;
      readonly kind?: undefined;
    }
  | FormerReason;

/** A reason by its kind, whose sentence is in `src/words/reasonWords.ts`. New ones are written as messages. */
type FormerReason = {
  [K in ReasonKind]: { kind: K; args: ReasonArguments[K]; readonly code?: undefined };
}[ReasonKind];

export type ReasonKind = keyof ReasonArguments;

/** Reasons that code tells from others. */
export type ReasonCode = 'parquet-damaged';

/**
 * Makes a reason. The message is a literal, so that `npm run l10n` finds it: a sentence without its period. Arguments
 * are names, numbers and quoted texts, never English of our own.
 */
export function reason<K extends ReasonKind>(kind: K, ...args: ReasonArguments[K]): Reason;
export function reason(message: `${string} ${string}`, ...args: (string | number)[]): Reason;
export function reason(message: string, ...args: (string | number)[]): Reason {
  return message.includes(' ') ? { message, args } : ({ kind: message, args } as unknown as Reason);
}

/** Makes a reason that code tells from others. */
export function codedReason(code: ReasonCode, message: string, ...args: (string | number)[]): Reason {
  return { message, args, code };
}

/** Makes a reason in one of two forms: the first for 1, else the second. The count is {0} in both. */
export function countedReason(
  count: number,
  one: string,
  many: string,
  ...args: (string | number)[]
): Reason {
  return { message: count === 1 ? one : many, args: [count, ...args] };
}

/** The words of the service, of the system or of a library, as they are. */
export function quoted(text: string): Reason {
  return { message: QUOTED, args: [text] };
}

/** The message of what is quoted. */
export const QUOTED = '{0}';

/** Arguments of each kind of reason, by what detects it. */
export interface ReasonArguments {
  /** The service's or the system's own words, as they are. */
  quoted: [text: string];

  // --- The service, and what leads to it

  'address-with-password': [];
  'address-with-query': [];
  'address-not-https': [];
  /** With the host and its port. */
  'address-unencrypted': [host: string];
  'not-an-address': [];
  'key-replaced': [];
  'connection-refused': [];
  'host-not-found': [];
  'host-lookup-failed': [];
  'host-unreachable': [];
  'network-unreachable': [];
  'address-unreachable': [];
  'connection-not-permitted': [];
  'no-secure-connection': [];
  'host-without-tls': [];
  'host-with-tls': [];
  'certificate-not-trusted': [code: string];
  'connection-closed': [];
  'connection-failed': [];
  'connection-failed-with': [code: string];
  'response-cut-off': [];
  'proxy-address-invalid': [];
  'proxy-connection-not-secure': [];
  'proxy-closed-connection': [];
  'proxy-needs-password': [];
  'proxy-refused': [status: number];
  'not-http': [];
  'headers-too-long': [];
  'response-too-large': [megabytes: number];
  /** Objects and arrays. */
  'response-too-complex': [parts: number];
  'not-json': [];
  'content-type-not-json': [contentType: string];
  /** A field of a response is missing, or its value is of no use. */
  'field-unusable': [field: string];
  /** Where it can't be followed. */
  redirected: [];
  'redirected-elsewhere': [origin: string];
  'redirected-too-often': [];
  'link-not-an-address': [];
  'link-not-https': [];
  'link-to-private-address': [];
  'compression-damaged': [];
  'compression-unknown': [];
  'expands-too-much': [times: number];
  'too-slow': [kilobytesPerMinute: number];
  'responded-before-upload-ended': [];
  'file-grew': [];
  'file-shrank': [];

  // --- Uploads

  'folder-named-dots': [];

  // --- Jobs

  'results-missing': [];
  'job-not-found': [];
  'no-progress': [hours: number];
  'response-late': [];
  'response-status': [status: number];
  'canceled-after-sending': [];
  'input-gone': [];
  'run-unknown': [];
  /** No other window could see it: both would send it. */
  'submit-unprotected': [];

  // --- CSV and JSON files

  'json-invalid': [byte: number];
  'json-ends-early': [bytes: number];
  'json-too-deep': [levels: number];
  'too-many-columns': [most: number];

  // --- Image files

  'no-image-in-file': [];
  'empty-file': [];
  /** Of a level of a slide. */
  'too-many-parts': [parts: number];
  /** What a slide says of its tiles contradicts itself, or the file. */
  'slide-text-invalid': [];
  'jpeg2000-samples': [channels: number, bits: number];
  /** The name of a format that is known and not read. */
  'unread-format': [format: string];
  'not-an-image-file': [];
  /** The content is of another format than the name says. */
  'other-format': [content: string, name: string];
  'not-of-its-format': [format: string];
  'header-cut-off': [];
  'blocks-absent': [blocks: number];
  'no-data-outside': [sample: number];
  'cut-off-file': [];
  'damaged-file': [];
  'image-size': [width: number, height: number, channels: number];
  'too-many-samples': [width: number, height: number, channels: number, millions: number];
  'image-file-too-large': [];
  'damaged-data': [codec: string];
  'oversized-data': [codec: string];
  'block-size-differs': [codec: string];
  'unsupported-jpeg': [];
  'lossless-jpeg': [];
  'cmyk-jpeg': [];
  'jpeg-bits': [bits: number];
  'jpeg-channels': [channels: number];
  'png-color-type': [type: number];
  'color-not-in-palette': [color: number];
  'animated-webp': [];
  'webp-channels': [channels: number];
  'lerc-sample-type': [];
  'lerc-compressed-again': [];
  'lerc-invalid-pixels': [];
  'old-lzw': [];
  'tiff-volume': [];
  'unsupported-compression': [name: string];
  'unknown-compression': [number: number];
  'bit-order': [];
  'unknown-predictor': [predictor: number];
  'predictor-bits': [bits: number];
  'predictor-for-floats': [];
  'planar-colors': [];
  'sample-bits-missing': [];
  'sample-bits-differ': [];
  'sample-bits': [bits: number];
  'sample-integers': [bits: number];
  'sample-formats-differ': [];
  'sample-format': [bits: number, format: number];
  'color-space-bits': [bits: number];
  'color-channels': [colorSpace: string, channels: number];
  'other-inks': [];
  'subsampled-color': [];
  'subsampled-jpeg': [channels: number];
  'palette-missing': [];
  'tiff-field-type': [type: number];
  'tiff-field-too-long': [tag: number, bytes: number];
  'tiff-too-many-values': [values: number];
  'tiff-directory-too-long': [fields: number];
  'tiff-block-missing': [block: number];
  'tiff-block-count': [listed: number, needed: number];
  'tiff-block-short': [block: number];
  'other-color-space': [name: string];
  'plane-size-differs': [plane: number];
  'plane-channels-differ': [plane: number];
  'plane-without-level': [plane: number, level: number];
  // What to know of an image that was decoded.
  'jpeg-partly-damaged': [];
  'jpeg-end-missing': [];
  /** An EXIF orientation, 2…8. */
  'orientation-applied': [];
  'orientation-not-applied': [orientation: number];
  'exif-not-applied': [];
  animation: [];
  'black-white-not-applied': [];
  'converted-to-rgb': [colorSpace: string];
  'signed-as-floats': [];
  'single-precision': [];
  'first-page-only': [pages: number];
  'page-list-damaged': [];
  'images-left-out': [images: number];
  'imagej-first-only': [images: number];
  'planes-missing': [planes: number];
  'images-missing': [images: number];
  'one-image-shown': [images: number];

  // --- Masks

  'mask-without-pixels': [];
  // An object's record and mask.
  'not-an-object-record': [];
  'no-run-lengths': [];
  'mask-size-not-numbers': [];
  'mask-size': [height: number, width: number];
  'mask-too-large': [height: number, width: number];
  'mask-size-without-box': [height: number, width: number];
  'mask-size-mismatch': [height: number, width: number];
  'box-outside-image': [];
  'runs-missing': [];
  'run-negative': [run: number, length: number];
  'run-not-a-number': [];
  'runs-too-long': [pixels: number];
  'runs-too-short': [sum: number, pixels: number];
  'run-endless': [];
  'run-cut-off': [];
  'run-byte': [position: number];
  'duplicate-key': [];
  // An image's entry.
  'not-a-json-object': [];
  'no-objects-map': [];
  'image-width': [];
  'image-height': [];
  'name-too-long': [characters: number];
  'record-too-large': [];
  'too-many-objects-in-image': [];
  'too-many-classes': [classes: number];
  'class-names-too-long': [];
  // The archive.
  'no-masks': [];
  'archive-cut-off': [];
  'archive-list-unreadable': [];
  'archive-too-large': [];
  'archive-inflates': [times: number];
  'too-many-entries': [entries: number];
  'entry-too-large': [entry: string];
  'entry-unreadable': [entry: string];
  'entry-inflates': [entry: string, times: number];
  'entry-cut-off': [entry: string];
  'entry-misplaced': [entry: string];
  'entry-overlaps': [entry: string];
  'entry-size': [entry: string, bytes: number];
  'entry-checksum': [entry: string];
  'entry-damaged': [entry: string];
  // Notes on an archive that could be read.
  'no-index': [];
  'damaged-index': [];
  'unknown-class': [name: string];
  'ids-differ-from-keys': [objects: number];
  'without-class': [objects: number];
  'duplicate-entry': [entry: string];
  'more-notes': [notes: number];

  // --- Comparisons of masks, and files of ground truth

  'sizes-differ': [widthA: number, heightA: number, widthB: number, heightB: number];
  'too-many-overlaps': [pairs: number];
  'not-coco': [];
  'not-geojson': [];
  'no-label-images': [];
  /** Of objects that were to be matched within classes. */
  'without-classes': [];
  'image-id-twice': [id: string];
  /** With the names of some of them. */
  'files-left-out': [files: number, names: string];
  /** Label images with one label, whose areas are one object, or an object each. */
  'one-label': [images: number];
  'areas-separated': [images: number];
  'images-without-id': [images: number];
  'categories-without-id': [categories: number];
  'annotations-without-image': [annotations: number];
  'annotation-id-twice': [];
  crowds: [crowds: number];
  'no-segmentation': [];
  'no-rois': [];
  'not-a-roi': [];
  'not-an-area': [];
  /** QuPath's regions: annotations that hold detections, and the like. */
  'regions-left-out': [regions: number];
  /** Beside detections, in no region of them. */
  'annotations-as-objects': [annotations: number];
  'annotations-hold-annotations': [annotations: number];
  'nuclei-left-out': [cells: number];
  /** Objects of other z or t than the first. */
  'planes-left-out': [objects: number];
  'polygons-overlap': [objects: number];
  'polygon-missing': [];
  'polygon-invalid': [];
  'labels-float': [];
  'labels-not-gray': [];
  'labels-several-planes': [planes: number];
  'labels-lossy': [];
  'label-negative': [label: number];
  'label-too-large': [label: number];
  'too-many-labels': [limit: number];

  // --- Tables

  'saved-as-other-format': [ending: string, written: string];
  'not-a-text-file': [];
  'compressed-file': [format: string];
  'compressed-file-damaged': [format: string];
  'table-inflates': [times: number];
  'zip-file': [];
  'not-parquet': [];
  'parquet-footer-damaged': [];
  'parquet-page-too-large': [column: string, megabytes: number];
  'parquet-encrypted': [];
  'parquet-in-parts': [];
  /** A name of the format's: of a codec, an encoding or a type. */
  'parquet-unsupported': [feature: string];
  /** Files of other results, written before, have the column with another type. */
  'dataset-types-differ': [column: string];
  'row-too-long': [];
  'column-texts-too-large': [column: string];
  'too-many-groups': [limit: number];

  // --- Columns of images

  'role-has-too-many-values': [column: string, values: number, max: number];
  'pattern-brace': [];
  'pattern-fields-adjacent': [field: string];
  'pattern-field-unnamed': [];
  'pattern-field-twice': [field: string];
  'pattern-without-fields': [];
  'pattern-matches-none': [];
  'column-unnamed': [];
  'column-name-too-long': [characters: number];
  'too-many-image-columns': [max: number];
  'column-twice': [column: string];
  'column-unknown': [column: string];
  'image-columns-changed': [];
  'value-too-long': [image: string, characters: number];
  'sheet-without-images': [];
  'sheet-without-column': [column: string];
  /** With the names of the columns. */
  'sheet-columns-differ': [columns: string];
  'sheet-too-large': [rows: number, max: number];

  // --- Comparing conditions

  'no-image-column': [];
  'pixel-size-missing': [];
  'no-pixel-size-of': [image: string];
  /** The low end of a range is above its high one. */
  'range-reversed': [column: string, from: number | string, to: number | string];
  'too-many-conditions': [conditions: number, max: number];
  // Why conditions have no test; see NoComparison.
  'not-compared-few': [];
  'not-compared-no-variance': [];
  'not-compared-not-positive': [];
  'not-compared-not-between': [];
  'not-compared-no-replicates': [];
  'not-compared-levels-open': [];
  'not-compared-names-open': [];
  'not-compared-one-condition': [];
  'not-compared-no-value': [];
  'not-compared-no-pair': [];
  'too-many-replicates': [replicates: number, max: number];

  // --- Exports, and the files of results

  'too-many-objects-for-format': [objects: number, largest: number];
  'image-too-large-for-coco': [width: number, height: number, pixels: number];
  'folder-missing': [];
  /** With the system's name for the failure, such as EACCES. */
  'file-not-writable': [code: string];
  'denied-by-macos': [];
  'download-cut-off': [bytes: number, expected: number];
  'download-checksum': [];
  'over-cache-size': [megabytes: number];
  'space-needed': [megabytes: number, free: number];
  'received-web-page': [];
  /** In JSON or XML. */
  'received-message': [format: string];
  'received-text': [];
  'received-binary': [];
  'no-result-yet': [status: string];

  // --- The engine

  'not-enough-memory': [];
  'too-many-objects-in-region': [limit: number];

  // --- Files and accounts of a user

  'too-many-files': [max: number];
  'too-large-for-virtual-file': [];
  'folder-without-name': [];
  /** The key is removed, but not all files of the account. */
  'signed-out-with-files': [];
  'list-too-long': [entries: number];
  'key-missing': [];
  'sample-service-moved': [address: string];
  'sample-service-slow': [];
  /** With the exit code. */
  'sample-service-ended': [code: string];
  'only-files-on-disk': [];
  'writes-only-to-disk': [];
  'too-large-to-copy': [gigabytes: number];
}
