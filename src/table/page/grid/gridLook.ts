import { type Column, createTheme, type IHeaderComp, type IHeaderParams } from 'ag-grid-community';
import { element, fill, icon } from '../../../pages/page/widgets/element';

/** Height of each row in pixels. */
export const ROW_HEIGHT = 24;

/**
 * The grid's theme, in the colors of VS Code's lists. All colors are VS Code's variables, so that
 * it adapts to any theme. grid.css has everything that parameters can't express: high contrast,
 * focus, marks.
 */
const theme = createTheme().withParams({
  accentColor: 'var(--vscode-focusBorder)',
  backgroundColor: 'var(--vscode-editor-background)',
  foregroundColor: 'var(--vscode-editor-foreground)',
  browserColorScheme: 'inherit',
  borderColor: 'var(--page-line)',
  borderRadius: 0,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  rowBorder: false,
  columnBorder: false,
  pinnedColumnBorder: { style: 'solid', width: 1, color: 'transparent' },
  headerRowBorder: { style: 'solid', width: 1, color: 'var(--page-line)' },
  headerColumnBorder: false,
  headerBackgroundColor: 'var(--vscode-editor-background)',
  headerTextColor: 'var(--vscode-foreground)',
  headerCellHoverBackgroundColor: 'var(--vscode-list-hoverBackground)',
  headerColumnResizeHandleColor: 'var(--page-line)',
  headerColumnResizeHandleHeight: '60%',
  headerColumnResizeHandleWidth: 1,
  headerFontFamily: 'var(--vscode-font-family)',
  headerFontSize: 12,
  headerFontWeight: 600,
  fontFamily: 'var(--vscode-editor-font-family)',
  fontSize: 'var(--vscode-editor-font-size)',
  dataFontSize: 'var(--vscode-editor-font-size)',
  rowHoverColor: 'transparent',
  oddRowBackgroundColor: 'transparent',
  selectedRowBackgroundColor: 'transparent',
  focusShadow: 'none',
  spacing: 4,
  cellHorizontalPadding: 8,
  rowHeight: ROW_HEIGHT,
  headerHeight: 32,
  iconSize: 14,
});

/** The look of this page's grids. */
export const gridLook = {
  theme,
  animateRows: false,
  // A row placed by a transform gets a layer, and another one for its pinned cells if these stick.
  suppressRowTransform: true,
} as const;

/** The content of a header in a grid. */
export interface GridHeader {
  readonly root: HTMLElement;
  dispose: () => void;
}

/** An AG Grid header component, which is constructed without arguments and then initialized. */
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

    /** Returns whether the header shows changed parameters; if not, the grid makes another one. */
    refresh(): boolean {
      return false;
    }

    destroy(): void {
      this.header?.dispose();
    }
  };
}

/**
 * The sort direction of a column in its header and, if several columns sort, its rank from the
 * second on.
 */
export class SortMark {
  readonly root = element('span', { class: 'header-sort', 'aria-hidden': 'true' });
  /** Shown later: the grid sets the rank after the event. */
  private readonly listener = () => queueMicrotask(() => this.show());

  constructor(private readonly column: Column) {
    column.addEventListener('sortChanged', this.listener);
    this.show();
  }

  dispose(): void {
    this.column.removeEventListener('sortChanged', this.listener);
  }

  private show(): void {
    const sort = this.column.getSort();
    const rank = this.column.getSortIndex() ?? 0;
    fill(
      this.root,
      sort && icon(sort === 'asc' ? 'arrow-up' : 'arrow-down'),
      sort && rank > 0 && String(rank + 1),
    );
  }
}
