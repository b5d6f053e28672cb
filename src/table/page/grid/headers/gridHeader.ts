import type { IHeaderComp, IHeaderParams } from 'ag-grid-community';
import { element } from '../../../../pages/page/widgets/element';

/** What a header of a grid shows. */
export interface GridHeader {
  readonly root: HTMLElement;
  dispose: () => void;
}

/** A header as AG Grid makes it: without arguments first, and told what it is about later. */
export function headerComponent<P>(
  Header: new (params: IHeaderParams & P) => GridHeader,
): new () => IHeaderComp {
  return class implements IHeaderComp {
    private header: GridHeader | undefined;

    init(params: IHeaderParams & P): void {
      this.header = new Header(params);
    }

    getGui(): HTMLElement {
      return this.header?.root ?? element('div');
    }

    /** Whether it shows other parameters now; if not, the grid makes another header. */
    refresh(): boolean {
      return false;
    }

    destroy(): void {
      this.header?.dispose();
    }
  };
}
