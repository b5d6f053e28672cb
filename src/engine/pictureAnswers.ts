import type { PictureInfo, PictureRequests } from '../protocol/pictureEngine';
import type { RequestHandlers } from '../protocol/rpc';
import { hashFile } from '../results/image/hashFile';
import { Pictures } from '../results/image/pictures';

/** The pictures under one result's masks, and the answers about them. */
export class PictureAnswers {
  private readonly pictures = new Pictures();

  readonly handlers: RequestHandlers<PictureRequests> = {
    openPicture: async ({ path }, signal) => {
      const { number, name, picture } = await this.pictures.open(path, signal);
      const { width, height, channels, bitsPerSample, notes } = picture.raster;
      return {
        picture: number,
        width,
        height,
        channels,
        bitsPerSample,
        name,
        notes,
        ...(picture.contrast && { contrast: picture.contrast }),
      } satisfies PictureInfo;
    },
    pictureTile: async ({ picture, level, x, y }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      return { pixels: (await opened.tile(level, x, y, signal)).buffer };
    },
    hashFile: ({ path }, signal) => hashFile(path, signal),
    closePicture: ({ picture }) => {
      this.pictures.close(picture);
      return {};
    },
  };
}
