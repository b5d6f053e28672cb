import messages from '../../l10n/reasons.json';
import {
  QUOTED,
  quoted,
  type Reason,
  type ReasonArguments,
  type ReasonCode,
  type ReasonKind,
} from '../base/reasons';
import type { Translate } from './translate';

/** How each kind of reason becomes a sentence, without its period. */
type ReasonSentences = {
  [K in ReasonKind]: (t: Translate, ...args: ReasonArguments[K]) => string;
};

/** A reason as a sentence of its own, with its period. Quoted texts may already have their punctuation. */
export function reasonSentence(t: Translate, reason: Reason): string {
  const words = reasonWords(t, reason).trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A reason as a sentence without its period. A message that isn't listed takes no arguments. */
export function reasonWords(translate: Translate, reason: Reason): string {
  if (reason.kind !== undefined) {
    const sentence = sentences[reason.kind] as (t: Translate, ...args: readonly unknown[]) => string;
    return sentence(translate, ...reason.args);
  }
  const { message, args } = reason;
  if (message === QUOTED) return String(args[0]);
  return Object.hasOwn(listed, message) ? translate(message, ...args) : message;
}

/** The messages of all reasons, each with its code, as the build lists them. */
const listed: Readonly<Record<string, string>> = messages;

/**
 * A reason that comes from another window or from a disk. Only a listed message takes arguments, and has the code of
 * the list. Any other text is quoted, one of a former version with its arguments. Undefined for what is no reason.
 */
export function readReason(value: unknown): Reason | undefined {
  const { message, kind, args } = (value ?? {}) as Record<string, unknown>;
  if (!areArguments(args)) return undefined;
  if (typeof kind === 'string')
    return kind === 'quoted' ? quoted(String(args[0])) : quoted([kind, ...args].join(', '));
  if (typeof message !== 'string') return undefined;
  if (message === QUOTED) return quoted(String(args[0]));
  if (!Object.hasOwn(listed, message)) return quoted(message);
  const code = listed[message];
  return { message, args, ...(code && { code: code as ReasonCode }) };
}

function areArguments(args: unknown): args is (string | number)[] {
  return Array.isArray(args) && args.every(arg => typeof arg === 'string' || typeof arg === 'number');
}

/** A kind without a sentence is a compile error here. */
const sentences: ReasonSentences = {
  // --- Texts of the service, the system and libraries

  quoted: (_t, text) => text,

  // --- The service, and what leads to it

  'address-with-password': t => t("The address can't contain a user name or password"),
  'address-with-query': t => t('The address can\'t contain "?" or "#"'),
  'address-not-https': t => t('The address must begin with https://'),
  'address-unencrypted': t =>
    t('The address must begin with https://, or the API key would be sent unencrypted'),
  'not-an-address': t => t("This isn't an address"),
  'key-replaced': t => t('The API key was replaced in the meantime'),
  'connection-refused': t => t('The connection was refused'),
  'host-not-found': t => t("Couldn't find the host"),
  'host-lookup-failed': t => t("Couldn't look up the host name"),
  'host-unreachable': t => t("Can't reach the host"),
  'network-unreachable': t => t("Can't reach the network"),
  'address-unreachable': t => t("Can't reach the address from this machine"),
  'connection-not-permitted': t => t("The connection isn't permitted"),
  'no-secure-connection': t => t("Couldn't agree on a secure connection"),
  'host-without-tls': t => t("The host doesn't use https at this address and port"),
  'host-with-tls': t => t('The host uses https at this address and port, not http'),
  'certificate-not-trusted': (t, code) => t("The host's certificate isn't trusted ({0})", code),
  'connection-closed': t => t('The other side closed the connection'),
  'connection-failed': t => t('The connection failed'),
  'connection-failed-with': (t, code) => t('The connection failed ({0})', code),
  'response-cut-off': t => t('The response ended early'),
  'proxy-address-invalid': t => t("The proxy address isn't valid"),
  'proxy-connection-not-secure': t => t("Couldn't connect to the proxy securely"),
  'proxy-closed-connection': t => t('The proxy closed the connection'),
  'proxy-needs-password': t =>
    t("The proxy requires a user name and password, and Kerberos and NTLM aren't supported"),
  'proxy-refused': (t, status) => t('The proxy refused the connection (status {0})', status),
  'not-http': t => t("The response isn't HTTP"),
  'headers-too-long': t => t('The response headers are too long'),
  'response-too-large': (t, megabytes) => t('The response is larger than {0} MB', megabytes),
  'response-too-complex': (t, parts) => t('The response has more than {0} entries', parts),
  'not-json': t => t("The response isn't JSON"),
  'content-type-not-json': (t, contentType) => t('The response is {0}, not JSON', contentType),
  'field-unusable': (t, field) => t('The response has no usable "{0}"', field),
  redirected: t => t('The service redirects this request'),
  'redirected-elsewhere': (t, origin) => t('The service redirects to {0}', origin),
  'redirected-too-often': t => t('Too many redirects'),
  'link-not-an-address': t => t("The link isn't an address"),
  'link-not-https': t => t("The link doesn't use https"),
  'link-to-private-address': t => t("The link leads into a private network that the service isn't on"),
  'compression-damaged': t => t('The compressed data is damaged'),
  'compression-unknown': t => t("The data is compressed in a way that isn't supported"),
  'expands-too-much': (t, times) => t('The data is more than {0} times as large when decompressed', times),
  'too-slow': (t, kilobytes) => t('Less than {0} KB arrived in a minute', kilobytes),
  'responded-before-upload-ended': t => t('The service responded before the whole file was sent'),
  'file-grew': t => t('The file grew'),
  'file-shrank': t => t('The file shrank'),

  // --- Uploads

  'folder-named-dots': t => t('A folder on the service can\'t be named ".."'),

  // --- Jobs

  'results-missing': t => t("The job succeeded, but its results didn't appear"),
  'job-not-found': t => t("The service doesn't know this job"),
  'no-progress': (t, hours) => t('It made no progress for {0} hours', hours),
  'response-late': t => t("The service didn't respond in time"),
  'response-status': (t, status) => t('The service returned status {0}', status),
  'canceled-after-sending': t => t('The same job was submitted before, and canceled after it was sent'),
  'input-gone': t => t('The pipeline or one of the items no longer exists'),
  'run-unknown': t => t("The job wasn't submitted from this machine, so its files aren't known"),
  'submit-unprotected': t => t("Other windows can't see this request, so the same one could be sent twice"),

  // --- CSV and JSON files

  'json-invalid': (t, byte) => t('Invalid JSON at byte {0}', byte),
  'json-ends-early': (t, bytes) => t('The JSON ends early, after {0} bytes', bytes),
  'json-too-deep': (t, levels) => t('The JSON is nested more than {0} levels deep', levels),
  'too-many-columns': (t, most) => t('The table has more than {0} columns', most),

  // --- Image files

  'no-image-in-file': t => t('The file contains no image'),
  'empty-file': t => t('The file is empty'),
  'not-an-image-file': t => t("The file isn't a PNG, JPEG, WebP or TIFF file"),
  'too-many-parts': (t, parts) => t('A level of the slide has {0} parts', parts),
  'slide-text-invalid': t => t("The slide's description of its tiles is damaged"),
  'jpeg2000-samples': (t, channels, bits) =>
    t("JPEG 2000 with {0} channels of {1} bits isn't supported in this form", channels, bits),
  'unread-format': (t, format) => t("{0} files can be uploaded, but aren't shown here", format),
  'other-format': (t, content, name) =>
    t('The content is {0}, but the name says {1}; rename the file', content, name),
  'not-of-its-format': (t, format) => t("The file doesn't begin as {0} files do", format),
  'blocks-absent': (t, blocks) =>
    blocks === 1
      ? t("1 tile isn't in the file; it is shown as outside of the image and not measured")
      : t("{0} tiles aren't in the file; they are shown as outside of the image and not measured", blocks),
  'no-data-outside': (t, sample) =>
    t(
      'Samples of {0} are no data in this file; they are shown as outside of the image and not measured',
      sample,
    ),
  'header-cut-off': t => t('The file ends within its header'),
  'cut-off-file': t => t('The file is damaged or cut off'),
  'damaged-file': t => t('The file is damaged'),
  'image-size': (t, width, height, channels) =>
    t('The image size is {0} × {1} with {2} channels', width, height, channels),
  'too-many-samples': (t, width, height, channels, millions) =>
    t(
      '{0} × {1} pixels with {2} channels are more than the limit of {3} million samples',
      width,
      height,
      channels,
      millions,
    ),
  'image-file-too-large': t => t('The file is larger than 1 GB; only TIFF files and slides can be'),
  'damaged-data': (t, codec) => t('The {0} data is damaged or cut off', codec),
  'oversized-data': (t, codec) => t("The {0} data is larger than the image's size allows", codec),
  'block-size-differs': (t, codec) => t('The {0} data has a different size than its tile', codec),
  'unsupported-jpeg': t => t("This kind of JPEG isn't supported"),
  'lossless-jpeg': t => t("Lossless JPEG isn't supported"),
  'cmyk-jpeg': t => t("CMYK JPEG isn't supported"),
  'jpeg-bits': (t, bits) => t("{0}-bit JPEG isn't supported", bits),
  'jpeg-channels': (t, channels) => t("JPEG with {0} channels isn't supported", channels),
  'png-color-type': (t, type) => t("PNG color type {0} isn't supported", type),
  'color-not-in-palette': (t, color) => t('The palette has no color {0}', color),
  'animated-webp': t => t("Animated WebP isn't supported"),
  'webp-channels': (t, channels) => t("WebP with {0} channels isn't supported", channels),
  'lerc-sample-type': t => t("LERC with this sample type isn't supported"),
  'lerc-compressed-again': t => t("LERC with a second compression isn't supported"),
  'lerc-invalid-pixels': t => t('LERC with invalid pixels is supported only for floating-point samples'),
  'old-lzw': t => t("LZW compression from before TIFF 6.0 isn't supported"),
  'tiff-volume': t => t("TIFF volumes (ImageDepth, TileDepth) aren't supported; save the planes as pages"),
  'unsupported-compression': (t, name) => t("{0} compression isn't supported", name),
  'unknown-compression': (t, number) => t('TIFF compression {0} is unknown', number),
  'bit-order': t => t("Bytes with the lowest bit first aren't supported"),
  'unknown-predictor': (t, predictor) => t('TIFF predictor {0} is unknown', predictor),
  'predictor-bits': (t, bits) => t("A predictor for {0}-bit samples isn't supported", bits),
  'predictor-for-floats': t => t('The predictor is for floating-point samples only'),
  'planar-colors': t => t("Colors in separate planes aren't supported"),
  'sample-bits-missing': t => t("The file doesn't specify the number of bits per sample"),
  'sample-bits-differ': t => t('The channels have different numbers of bits'),
  'sample-bits': (t, bits) => t("{0}-bit samples aren't supported", bits),
  'sample-integers': (t, bits) => t("{0}-bit integers aren't supported", bits),
  'sample-formats-differ': t => t('The channels have different sample formats'),
  'sample-format': (t, bits, format) => t("{0}-bit samples in format {1} aren't supported", bits, format),
  'color-space-bits': (t, bits) => t("This color space isn't supported with {0} bits, only with 8", bits),
  'color-channels': (t, colorSpace, channels) =>
    t("{0} colors with {1} channels aren't supported", colorSpace, channels),
  'other-inks': t => t("Inks other than cyan, magenta, yellow and black aren't supported"),
  'subsampled-color': t => t('Subsampled YCbCr is supported only with JPEG compression'),
  'subsampled-jpeg': (t, channels) => t("Subsampled JPEG with {0} channels isn't supported", channels),
  'palette-missing': t => t('The palette is missing'),
  'tiff-field-type': (t, type) => t('TIFF field type {0} is unknown', type),
  'tiff-field-too-long': (t, tag, bytes) => t('TIFF tag {0} has {1} bytes', tag, bytes),
  'tiff-too-many-values': (t, values) => t('A TIFF field has {0} values', values),
  'tiff-directory-too-long': (t, fields) => t('A TIFF directory has {0} fields', fields),
  'tiff-block-missing': (t, block) => t('Block {0} of the image is missing', block),
  'tiff-block-count': (t, listed, needed) =>
    t('The file lists {0} tiles or strips, but an image of its size has {1}', listed, needed),
  'tiff-block-short': (t, block) => t('Block {0} of the image is shorter than its rows', block),
  'other-color-space': (t, name) => t("{0} colors aren't supported", name),
  'plane-size-differs': (t, plane) => t('Plane {0} has a different size than the first', plane),
  'plane-channels-differ': (t, plane) => t('Plane {0} has different channels than the first', plane),
  'plane-without-level': (t, plane, level) => t('Plane {0} has no level {1}', plane, level),
  'jpeg-partly-damaged': t => t('The JPEG data is partly damaged; some pixels may be wrong'),
  'jpeg-end-missing': t => t('The JPEG file lacks its end marker; all of its pixels are there'),
  'orientation-applied': t => t("Turned as the file's EXIF orientation says"),
  'orientation-not-applied': (t, orientation) => orientationWords(t, orientation),
  'exif-not-applied': t => t("The file has EXIF data; if that includes an orientation, it isn't applied"),
  animation: t => t('The file is an animation; only its first image is read'),
  'black-white-not-applied': t =>
    t("The file says which samples are black and white (ReferenceBlackWhite); this isn't applied"),
  'converted-to-rgb': (t, colorSpace) => t('{0} colors were converted to RGB', colorSpace),
  'signed-as-floats': t => t('Signed samples were converted to floating point'),
  'single-precision': t => t('Samples were converted to single precision'),
  'first-page-only': (t, pages) => t('The file has {0} pages; only the first is read', pages),
  'page-list-damaged': t => t('The list of pages is damaged; only pages before the damage are read'),
  'images-left-out': (t, images) => t('Images not shown, such as labels and thumbnails: {0}', images),
  'imagej-first-only': (t, images) =>
    t('The file lists {0} images; only the first of them can be located', images),
  'planes-missing': (t, planes) =>
    t("Planes in the metadata that this file doesn't have: {0}. Sets of several files aren't read", planes),
  'images-missing': (t, images) => t("Images in the metadata that this file doesn't have: {0}", images),
  'one-image-shown': (t, images) => t('The file has {0} images; one of them is shown', images),

  // --- Masks

  'mask-without-pixels': t => t('The mask has no pixels'),
  'not-an-object-record': t => t("This isn't an object record"),
  'no-run-lengths': t => t('The object has no run-length encoding'),
  'mask-size-not-numbers': t => t("The mask's size isn't two whole numbers"),
  'mask-size': (t, height, width) => t('The mask size is {0} × {1}', height, width),
  'mask-too-large': (t, height, width) => t('The mask size of {0} × {1} is too large', height, width),
  'mask-size-without-box': (t, height, width) =>
    t("The mask size of {0} × {1} differs from the image's, and there is no bounding box", height, width),
  'mask-size-mismatch': (t, height, width) =>
    t('The mask size of {0} × {1} matches neither the image nor the bounding box', height, width),
  'box-outside-image': t => t('The bounding box extends beyond the image'),
  'runs-missing': t => t('The run-length encoding has no runs'),
  'run-negative': (t, run, length) => t('Run {0} is negative ({1})', run, length),
  'run-not-a-number': t => t("A run isn't a whole number"),
  'runs-too-long': (t, pixels) => t("The runs exceed the mask's {0} pixels", pixels),
  'runs-too-short': (t, sum, pixels) => t('The runs cover {0} of {1} pixels', sum, pixels),
  'run-endless': t => t('A run is too long to be valid'),
  'run-cut-off': t => t('The last run is cut off'),
  'run-byte': (t, position) => t("Byte {0} of the runs isn't valid", position),
  'duplicate-key': t => t('A later object has the same key'),
  'not-a-json-object': t => t("The data isn't a JSON object"),
  'no-objects-map': t => t('The image has no valid "objects" field'),
  'image-width': t => t("The image's width isn't a number of pixels"),
  'image-height': t => t("The image's height isn't a number of pixels"),
  'name-too-long': (t, characters) => t("The image's name is longer than {0} characters", characters),
  'record-too-large': t => t('An object is larger than 256 MB'),
  'too-many-objects-in-image': t => t('The image has more objects than can be opened at once'),
  'too-many-classes': (t, classes) => t('The archive has more than {0} classes', classes),
  'class-names-too-long': t => t('The class names are too long'),
  'no-masks': t => t('The archive has no masks'),
  'archive-cut-off': t => t('The archive is cut off'),
  'archive-list-unreadable': t => t("The archive's list of entries can't be read"),
  'archive-too-large': t => t('The archive is larger than 64 GB when extracted'),
  'archive-inflates': (t, times) => t('The archive is more than {0} times as large when extracted', times),
  'too-many-entries': (t, entries) => t('The archive has more than {0} entries', entries),
  'entry-too-large': (t, entry) => t('"{0}" is too large', entry),
  'entry-unreadable': (t, entry) => t('"{0}" is encrypted or compressed in an unknown way', entry),
  'entry-inflates': (t, entry, times) =>
    t('"{0}" is more than {1} times as large when extracted', entry, times),
  'entry-cut-off': (t, entry) => t('"{0}" is cut off', entry),
  'entry-misplaced': (t, entry) => t('"{0}" isn\'t at the position given in the archive', entry),
  'entry-overlaps': (t, entry) => t('"{0}" overlaps another entry of the archive', entry),
  'entry-size': (t, entry, bytes) =>
    t('"{0}" doesn\'t have the size given in the archive ({1} bytes)', entry, bytes),
  'entry-checksum': (t, entry) => t('The checksum of "{0}" is wrong', entry),
  'entry-damaged': (t, entry) => t('"{0}" is damaged', entry),
  'no-index': t => t('The archive has no index.json; classes come from the objects'),
  'damaged-index': t => t("Couldn't read the archive's index.json; classes come from the objects"),
  'unknown-class': (t, name) => t('The class "{0}" isn\'t in the archive\'s index', name),
  'ids-differ-from-keys': (t, objects) =>
    t('{0} objects have an ID that differs from their key; the ID is used', objects),
  'without-class': (t, objects) => t('{0} objects have no class', objects),
  'duplicate-entry': (t, entry) => t('"{0}" is in the archive more than once; the first one is shown', entry),
  'more-notes': (t, notes) => t('… and {0} more like this', notes),

  // --- Comparisons of masks, and files of ground truth

  'sizes-differ': (t, widthA, heightA, widthB, heightB) =>
    t('The sizes differ: {0} × {1} and {2} × {3} pixels', widthA, heightA, widthB, heightB),
  'too-many-overlaps': (t, pairs) => t('More than {0} pairs of objects overlap', pairs),
  'not-coco': t => t("This isn't a COCO file with images and annotations"),
  'not-geojson': t => t("This isn't GeoJSON as QuPath exports it"),
  'no-label-images': t => t('The folder has no label images (PNG, TIFF), GeoJSON files or ROI sets'),
  'image-id-twice': (t, id) => t('Another image has the same ID, {0}', id),
  'without-classes': t => t('Its objects have no class, so they are matched whatever the class'),
  'files-left-out': (t, files, names) =>
    files === 1
      ? t('1 file was left out: it is no PNG, TIFF, GeoJSON or RoiSet.zip file ({0})', names)
      : t('{0} files were left out: they are no PNG, TIFF, GeoJSON or RoiSet.zip files ({1})', files, names),
  'one-label': (t, images) =>
    images === 1
      ? t('1 image has several areas with one label, as a binary mask has: all of them are one object')
      : t(
          '{0} images have several areas with one label, as binary masks have: in each, all of them are one object',
          images,
        ),
  'areas-separated': (t, images) =>
    images === 1
      ? t('1 image has one label, as a binary mask has: each of its areas is an object')
      : t('{0} images have one label, as binary masks have: each of their areas is an object', images),
  'images-without-id': (t, images) =>
    images === 1
      ? t('1 image without an ID was left out')
      : t('{0} images without an ID were left out', images),
  'categories-without-id': (t, categories) =>
    categories === 1
      ? t('1 category without an ID was left out')
      : t('{0} categories without an ID were left out', categories),
  'annotations-without-image': (t, annotations) =>
    annotations === 1
      ? t("1 annotation was left out: its image isn't in the file")
      : t("{0} annotations were left out: their images aren't in the file", annotations),
  'annotation-id-twice': t => t('A later annotation has the same ID'),
  crowds: (t, crowds) =>
    crowds === 1
      ? t('1 annotation is a crowd (iscrowd): a region to ignore, not an object')
      : t('{0} annotations are crowds (iscrowd): regions to ignore, not objects', crowds),
  'no-segmentation': t => t('The annotation has no segmentation'),
  'no-rois': t => t('The archive has no ROIs of ImageJ'),
  'not-a-roi': t => t("The file isn't a ROI of ImageJ"),
  'not-an-area': t => t("The feature isn't an area"),
  'regions-left-out': (t, regions) =>
    regions === 1
      ? t('1 region that holds detections was left out: it is no object')
      : t('{0} regions that hold detections were left out: they are no objects', regions),
  'annotations-as-objects': (t, annotations) =>
    annotations === 1
      ? t('1 annotation that holds no detection counts as an object')
      : t('{0} annotations that hold no detections count as objects', annotations),
  'annotations-hold-annotations': (t, annotations) =>
    annotations === 1
      ? t('1 annotation holds several others and counts as an object; if it is a region, export without it')
      : t(
          '{0} annotations hold several others and count as objects; if they are regions, export without them',
          annotations,
        ),
  'nuclei-left-out': (t, cells) =>
    cells === 1
      ? t('1 cell has a nucleus, which was left out: the mask is that of the cell')
      : t('{0} cells have nuclei, which were left out: masks are those of the cells', cells),
  'planes-left-out': (t, objects) =>
    objects === 1
      ? t('1 object was left out: it is in another plane (z, t) than the first')
      : t('{0} objects were left out: they are in other planes (z, t) than the first', objects),
  'polygons-overlap': (t, objects) =>
    objects === 1
      ? t('1 object has polygons that overlap or cross themselves: all that they hold is its mask')
      : t(
          '{0} objects have polygons that overlap or cross themselves: all that they hold is their mask',
          objects,
        ),
  'polygon-missing': t => t('The annotation has no polygon'),
  'polygon-invalid': t => t("The polygon's coordinates aren't valid"),
  'labels-float': t => t('Its labels are floating-point numbers; labels must be whole numbers'),
  'labels-not-gray': t => t('It has several channels; a label image has one'),
  'labels-several-planes': (t, planes) => t('It has {0} planes; a label image has one', planes),
  'labels-lossy': t => t('A label image must be a PNG or TIFF file'),
  'label-negative': (t, label) => t('It has a negative label, {0}', label),
  'label-too-large': (t, label) => t('It has a label of more than 32 bits, {0}', label),
  'too-many-labels': (t, limit) => t('It has more than {0} labels', limit),

  // --- Tables

  'not-a-text-file': t => t("The file isn't a text file"),
  'compressed-file': (t, format) => t('The file is compressed ({0}). Decompress it first', format),
  'compressed-file-damaged': (t, format) =>
    t('The file is cut off or damaged: it can’t be decompressed ({0})', format),
  'table-inflates': (t, times) =>
    t('The file would become more than {0} times as large when it is decompressed', times),
  'saved-as-other-format': (t, ending, written) =>
    t('A file whose name ends in {0} is of another format than {1}, which is saved', ending, written),
  'zip-file': t => t('The file is a Zip archive or a spreadsheet. Save its table as CSV first'),
  'not-parquet': t => t('It isn’t a Parquet file, or it is cut off'),
  'parquet-footer-damaged': t => t('The end of the Parquet file, which says what is in it, is damaged'),
  'parquet-page-too-large': (t, column, megabytes) =>
    t(
      'A page of column "{0}" has {1} MB or too many values, which is more than can be read',
      column,
      megabytes,
    ),
  'parquet-encrypted': t => t('The Parquet file is encrypted. Decrypt it first'),
  'parquet-in-parts': t => t('The values of the Parquet file are in other files'),
  'parquet-unsupported': (t, feature) => t('The Parquet file uses {0}, which can’t be read', feature),
  'dataset-types-differ': (t, column) =>
    t('Column "{0}" has another type in this file of another job. Export all jobs to a new folder', column),
  'row-too-long': t => t('A row is longer than 1 GB; a quote may never be closed'),
  'column-texts-too-large': (t, column) =>
    t('The text in column "{0}" needs more memory than tables may use', column),
  'too-many-groups': (t, limit) => t('There are more than {0} groups', limit),

  // --- Columns of images

  'role-has-too-many-values': (t, column, values, max) =>
    t('"{0}" has {1} different values, and this role allows at most {2}', column, values, max),
  'pattern-brace': t => t('A brace is unmatched. Write a field as {0}', '{name}'),
  'pattern-fields-adjacent': (t, field) => t('Separate "{0}" from the field before it', field),
  'pattern-field-unnamed': t => t('A field has no name'),
  'pattern-field-twice': (t, field) => t('The field "{0}" occurs twice', field),
  'pattern-without-fields': t => t('The pattern has no field in braces'),
  'pattern-matches-none': t => t('The pattern matches no image'),
  'column-unnamed': t => t('A column needs a name'),
  'column-name-too-long': (t, characters) => t('The name of a column has {0} characters', characters),
  'too-many-image-columns': (t, max) => t('Images can have at most {0} columns', max),
  'column-twice': (t, column) => t('Another column is already called "{0}"', column),
  'image-columns-changed': t =>
    t('The columns were changed elsewhere, and are now shown as they are. Make your change again.'),
  'column-unknown': (t, column) => t('The images have no column "{0}"', column),
  'value-too-long': (t, image, characters) => t('The value of "{0}" has {1} characters', image, characters),
  'sheet-without-images': t => t('None of its columns names the images or their wells'),
  'sheet-without-column': (t, column) => t('The sheet has no column "{0}"', column),
  'sheet-columns-differ': (t, columns) =>
    t('Several columns of the sheet could name the images: {0}. Say which does', columns),
  'sheet-too-large': (t, rows, max) => t('It has {0} rows; at most {1} can be read', rows, max),

  // --- Comparing conditions

  'no-image-column': t => t('No column of the table names images'),
  'pixel-size-missing': t => t('Not every image has a pixel size'),
  'no-pixel-size-of': (t, image) =>
    t("The pixel size of {0} isn't known. Set it in the panel of its masks", image),
  'range-reversed': (t, column, from, to) =>
    t('The range of {0} begins above its end ({1} to {2})', column, from, to),
  'too-many-conditions': (t, conditions, max) =>
    t('There are {0} conditions, and at most {1} can be compared', conditions, max),
  'not-compared-few': t => t('Fewer than 3 replicates, or pairs of them'),
  'not-compared-no-variance': t =>
    t('The values of replicates, or their paired differences, vary by no more than rounding'),
  'not-compared-not-positive': t => t('A ratio needs values above 0'),
  'not-compared-not-between': t => t('Odds need shares above 0 and below 1'),
  'not-compared-no-replicates': t =>
    t("No column has the role of replicates; objects and images aren't replicates"),
  'not-compared-levels-open': t =>
    t('Several columns are of replicates, and multiply them. Say which of them counts'),
  'not-compared-names-open': t =>
    t('Replicates of different conditions have the same names. Say whether they are the same ones'),
  'not-compared-one-condition': t => t('At least 2 conditions are needed'),
  'not-compared-no-value': t => t('It has no value'),
  'not-compared-no-pair': t => t('It has no partner of the same name in another condition'),
  'too-many-replicates': (t, replicates, max) =>
    t('There are {0} replicates, and at most {1} can be compared', replicates, max),

  // --- Exports, and the files of results

  'too-many-objects-for-format': (t, objects, largest) =>
    t('The image has {0} objects; this format allows {1}', objects, largest),
  'image-too-large-for-coco': (t, width, height, pixels) =>
    t('COCO allows images of up to {2} pixels; this one has {0} × {1}', width, height, pixels),
  'folder-missing': t => t("The folder doesn't exist"),
  'file-not-writable': (t, code) => t("The file can't be written ({0})", code),
  'denied-by-macos': t =>
    t(
      "macOS doesn't let VS Code use this folder. Allow it in System Settings > Privacy & Security > Files and Folders",
    ),
  'download-cut-off': (t, bytes, expected) => t('Received {0} of {1} bytes', bytes, expected),
  'download-checksum': t => t("The checksum doesn't match what was received"),
  'over-cache-size': (t, megabytes) => t('It is larger than {0} MB', megabytes),
  'space-needed': (t, megabytes, free) => t('{0} MB needed, {1} MB free', megabytes, free),
  'received-web-page': t => t('Received a web page instead of the file'),
  'received-message': (t, format) => t('Received a message in {0} instead of the file', format),
  'received-text': t => t('Received a message instead of the file'),
  'received-binary': t => t("The file received isn't a table"),
  'no-result-yet': (t, status) =>
    t("The job hasn't finished or doesn't have this result (status: {0})", status),

  // --- The engine

  'not-enough-memory': t => t('Not enough memory'),
  'too-many-objects-in-region': (t, limit) =>
    t('The region contains more than {0} objects. Draw a smaller one', limit),

  // --- Files and accounts of a user

  'too-many-files': (t, max) => t('The selection has more than {0} files. Select a smaller folder', max),
  'too-large-for-virtual-file': t => t('Files over 256 MB can only be uploaded from disk'),
  'folder-without-name': t => t("The service doesn't return the name of this folder"),
  'signed-out-with-files': t => t('You are signed out, but files of the account are still on this machine'),
  'list-too-long': (t, entries) => t('The list has more than {0} entries', entries),
  'key-missing': t => t('This browser, or VS Code on this machine, has no API key for the account'),
  'sample-service-moved': (t, address) =>
    t('The sample service now runs at {0}. Start it again from the Command Palette', address),
  'sample-service-slow': t => t('The sample service took too long to start'),
  'sample-service-ended': (t, code) => t('The sample service ended with exit code {0}', code),
  'only-files-on-disk': t => t('Only files on a disk can be opened'),
  'writes-only-to-disk': t => t('Only files on disk can be written'),
  'too-large-to-copy': (t, gigabytes) =>
    t("Files over {0} GB aren't copied from another file system", gigabytes),
};

function orientationWords(t: Translate, orientation: number): string {
  switch (orientation) {
    case 2:
      return t("The file's orientation isn't applied: mirrored");
    case 3:
      return t("The file's orientation isn't applied: rotated by 180°");
    case 4:
      return t("The file's orientation isn't applied: flipped vertically");
    case 5:
      return t("The file's orientation isn't applied: transposed");
    case 6:
      return t("The file's orientation isn't applied: rotated by 90°");
    case 7:
      return t("The file's orientation isn't applied: transversed");
    default:
      return t("The file's orientation isn't applied: rotated by 270°");
  }
}
