import type { Translate } from '../translate';
import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of formats/raster and results/image, and for notes on an image. */
export const rasterReasons = {
  'no-image-in-file': t => t('The file contains no image'),
  'empty-file': t => t('The file is empty'),
  'not-an-image-file': t => t("The file isn't a PNG, JPEG, WebP or TIFF file"),
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
  'image-file-too-large': t => t('The file is larger than 1 GB; only TIFF files can be'),
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
} satisfies Partial<ReasonSentences>;

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
