import type { PixelSize } from '../backgroundImageLook';

export interface OmeChannel {
  name?: string;
  color?: [red: number, green: number, blue: number];
  samplesPerPixel: number;
}

/** Which planes the directories of the file hold, from one TiffData element. */
export interface OmeTiffData {
  ifd?: number;
  c: number;
  z: number;
  t: number;
  planes?: number;
  /** The file that holds the planes, where the set has several. */
  fileName?: string;
}

/** One image (series) of an OME-TIFF file. */
export interface OmeImage {
  name?: string;
  /** Axes from the fastest to the slowest after X and Y, such as "CZT". */
  order: string;
  z: number;
  c: number;
  t: number;
  width: number;
  height: number;
  channels: OmeChannel[];
  tiffData: OmeTiffData[];
  pixelSize?: PixelSize;
}

/** µm in the units of length that OME knows and microscopes use. */
const MICROMETERS: Readonly<Record<string, number>> = {
  µm: 1,
  μm: 1,
  um: 1,
  micron: 1,
  nm: 1e-3,
  Å: 1e-4,
  pm: 1e-6,
  mm: 1e3,
  cm: 1e4,
  m: 1e6,
  in: 25_400,
};

/**
 * Reads the images of an OME-XML text; empty when it is something else. Only tags and their attributes matter, so the text
 * is only scanned for them: it may have tens of megabytes, no tree is built, and entities can't expand.
 */
export function readOmeXml(text: string): OmeImage[] {
  if (!/<(?:\w+:)?OME[\s>]/.test(text.slice(0, 4096))) return [];
  const images: OmeImage[] = [];
  let image: OmeImage | undefined;
  let imageName: string | undefined;
  for (const { name, attributes } of tagsOf(text)) {
    if (name === 'Image') {
      imageName = attributes.get('Name');
    } else if (name === 'Pixels') {
      image = imageOf(attributes, imageName);
      images.push(image);
    } else if (name === 'Channel') {
      image?.channels.push(channelOf(attributes));
    } else if (name === 'TiffData') {
      image?.tiffData.push(tiffDataOf(attributes));
    } else if (name === 'UUID' && attributes.has('FileName')) {
      const data = image?.tiffData.at(-1);
      const fileName = attributes.get('FileName');
      if (data && fileName !== undefined) data.fileName = fileName;
    }
  }
  return images;
}

function* tagsOf(text: string): Generator<{ name: string; attributes: Map<string, string> }> {
  // Comments may hold tags that are none, and one that does not end takes the rest; attributes may hold ">".
  const tag =
    /<!--[^]*?(?:-->|$)|<(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
  for (const [, name, list] of text.matchAll(tag)) {
    if (name === undefined) continue;
    const attributes = new Map<string, string>();
    for (const [, key = '', double, single] of (list ?? '').matchAll(
      /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    ))
      attributes.set(key, plainText(double ?? single ?? ''));
    yield { name, attributes };
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plainText(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, entity: string) => {
    const code = hex ? parseInt(String(hex), 16) : decimal ? Number(decimal) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return ENTITIES[entity] ?? whole;
  });
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}

function imageOf(attributes: Map<string, string>, name: string | undefined): OmeImage {
  const size = (axis: string) => Math.max(1, wholeNumber(attributes.get(`Size${axis}`), 1));
  const x = length(attributes, 'PhysicalSizeX');
  const y = length(attributes, 'PhysicalSizeY') ?? x;
  return {
    ...(name !== undefined && name !== '' && { name }),
    order: (attributes.get('DimensionOrder') ?? 'XYZCT').replace(/[XY]/g, ''),
    z: size('Z'),
    c: size('C'),
    t: size('T'),
    width: size('X'),
    height: size('Y'),
    channels: [],
    tiffData: [],
    ...(x !== undefined && y !== undefined && { pixelSize: { x, y, from: 'ome' } }),
  };
}

function length(attributes: Map<string, string>, key: string): number | undefined {
  const value = Number(attributes.get(key) ?? NaN);
  const unit = MICROMETERS[attributes.get(`${key}Unit`) ?? 'µm'];
  return unit !== undefined && Number.isFinite(value) && value > 0 ? value * unit : undefined;
}

function channelOf(attributes: Map<string, string>): OmeChannel {
  const name = attributes.get('Name') ?? attributes.get('Fluor');
  // A signed number: red, green, blue and alpha, a byte each.
  const color = attributes.has('Color') ? Number(attributes.get('Color')) : NaN;
  return {
    ...(name && { name }),
    ...(Number.isInteger(color) && {
      color: [(color >> 24) & 255, (color >> 16) & 255, (color >> 8) & 255],
    }),
    samplesPerPixel: Math.max(1, wholeNumber(attributes.get('SamplesPerPixel'), 1)),
  };
}

function tiffDataOf(attributes: Map<string, string>): OmeTiffData {
  const planes = attributes.get('PlaneCount') ?? attributes.get('NumPlanes');
  return {
    ...(attributes.has('IFD') && { ifd: wholeNumber(attributes.get('IFD'), 0) }),
    c: wholeNumber(attributes.get('FirstC'), 0),
    z: wholeNumber(attributes.get('FirstZ'), 0),
    t: wholeNumber(attributes.get('FirstT'), 0),
    ...(planes !== undefined && { planes: wholeNumber(planes, 1) }),
  };
}
