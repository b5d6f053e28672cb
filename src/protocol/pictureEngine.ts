export interface PictureInfo {
  /** Names the opened picture in later messages. */
  picture: number;
  width: number;
  height: number;
  channels: number;
  bitsPerSample: number;
  /** File name, for display. */
  name: string;
  /** What the viewer should know: an EXIF rotation that was not applied, a page other than the first left out. */
  notes: string[];
  /** Sample values shown as black and white, per shown channel; absent when 8-bit RGB is shown as it is. */
  contrast?: { low: number; high: number }[];
}

/** What an engine thread answers about pictures. */
export interface PictureRequests {
  /** Decodes a picture file. `damaged-archive` never; `bad-request` with the codec named when it cannot be read. */
  openPicture: { params: { path: string }; result: PictureInfo };
  /** RGBA, 8 bit, row-major, TILE_SIZE × TILE_SIZE; contrast fixed per channel for the whole picture. Alpha 0 is outside. */
  pictureTile: {
    params: { picture: number; level: number; x: number; y: number };
    result: { pixels: ArrayBuffer };
  };
  /** SHA-256, in hex, and size of a file. */
  hashFile: { params: { path: string }; result: { sha256: string; size: number } };
  closePicture: { params: { picture: number }; result: Record<string, never> };
}
