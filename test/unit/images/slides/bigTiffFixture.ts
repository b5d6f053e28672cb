/** One directory of tiles that are encoded already. */
export interface TiledDirectory {
  width: number;
  height: number;
  tileWidth: number;
  tileHeight: number;
  /** The data of the tile at a place of the grid; undefined where the file leaves it out. */
  tile(column: number, row: number): Uint8Array | undefined;
  /** 6, YCbCr, unless it is another. */
  photometric?: number;
  /** 7, JPEG, unless it is another. */
  compression?: number;
  samples?: number;
  bits?: number;
  /** How the colors of JPEG tiles are subsampled. */
  subsampling?: readonly [number, number];
  description?: string;
  /** XML of tag 700. */
  xmp?: string;
  orientation?: number;
  /** A reduced version of the one before. */
  reduced?: boolean;
}

/** A BigTIFF file, little-endian. */
export function bigTiff(directories: readonly TiledDirectory[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let end = 16;
  const put = (bytes: Uint8Array): number => {
    const at = end;
    const padding = new Uint8Array((8 - (bytes.length % 8)) % 8);
    parts.push(bytes, padding);
    end += bytes.length + padding.length;
    return at;
  };
  const longs = (values: readonly number[]) => new Uint8Array(BigUint64Array.from(values.map(BigInt)).buffer);
  const links: { view: DataView; at: number; offset: number }[] = [];
  for (const directory of directories) {
    const { width, height, tileWidth, tileHeight, samples = 3, bits = 8, compression = 7 } = directory;
    const { photometric = 6, subsampling = [2, 1], orientation = 1 } = directory;
    const across = Math.ceil(width / tileWidth);
    const tiles = Array.from({ length: across * Math.ceil(height / tileHeight) }, (_, at) =>
      directory.tile(at % across, Math.floor(at / across)),
    );
    const counts = tiles.map(tile => tile?.length ?? 0);
    const offsets = tiles.map(tile => (tile ? put(tile) : 0));
    const entries: { tag: number; type: number; count: number; bytes: Uint8Array }[] = [];
    const add = (tag: number, type: number, count: number, bytes: Uint8Array) =>
      entries.push({ tag, type, count, bytes });
    const short = (tag: number, ...values: number[]) =>
      add(tag, 3, values.length, new Uint8Array(Uint16Array.from(values).buffer));
    const long = (tag: number, value: number) => add(tag, 4, 1, new Uint8Array(Uint32Array.of(value).buffer));
    const text = (tag: number, type: number, value: string) => {
      const bytes = new Uint8Array(Buffer.from(`${value}\0`));
      add(tag, type, bytes.length, bytes);
    };
    long(254, directory.reduced ? 1 : 0);
    long(256, width);
    long(257, height);
    short(258, ...Array.from({ length: samples }, () => bits));
    short(259, compression);
    short(262, photometric);
    if (directory.description !== undefined) text(270, 2, directory.description);
    short(274, orientation);
    short(277, samples);
    short(284, 1);
    short(322, tileWidth);
    short(323, tileHeight);
    add(324, 16, offsets.length, longs(offsets));
    add(325, 16, counts.length, longs(counts));
    if (photometric === 6) short(530, ...subsampling);
    if (directory.xmp !== undefined) text(700, 1, directory.xmp);
    const view = new DataView(new ArrayBuffer(8 + 20 * entries.length + 8));
    view.setBigUint64(0, BigInt(entries.length), true);
    entries.forEach(({ tag, type, count, bytes }, at) => {
      view.setUint16(8 + 20 * at, tag, true);
      view.setUint16(10 + 20 * at, type, true);
      view.setBigUint64(12 + 20 * at, BigInt(count), true);
      if (bytes.length <= 8) new Uint8Array(view.buffer).set(bytes, 20 + 20 * at);
      else view.setBigUint64(20 + 20 * at, BigInt(put(bytes)), true);
    });
    links.push({ view, at: 8 + 20 * entries.length, offset: put(new Uint8Array(view.buffer)) });
  }
  links.forEach(({ view, at }, i) => view.setBigUint64(at, BigInt(links[i + 1]?.offset ?? 0), true));
  const file = new Uint8Array(end);
  const header = new DataView(file.buffer);
  header.setUint32(0, 0x49492b00);
  header.setUint16(4, 8, true);
  header.setBigUint64(8, BigInt(links[0]?.offset ?? 0), true);
  let at = 16;
  for (const part of parts) {
    // What was put before a directory was written has a copy of its link.
    file.set(part, at);
    at += part.length;
  }
  return file;
}
