import { createTheme } from 'ag-grid-community';

/** Of each row, in pixels. */
export const ROW_HEIGHT = 24;

/**
 * The grid in the colors of VS Code's own lists. Every color is one of VS Code's variables, so a change of theme needs no
 * work here; what the parameters cannot say (high contrast, focus, marks) is in grid.css.
 */
export const gridTheme = createTheme().withParams({
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
