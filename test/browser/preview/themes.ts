/**
 * Values of the theme variables the pages use, as VS Code 1.139 gives them to a webview. Written by
 * a script, not by hand.
 */
export type ThemeName = 'dark' | 'light' | 'hcDark' | 'hcLight';

export const themes: Record<ThemeName, { bodyClass: string; variables: string }> = {
  dark: {
    bodyClass: 'vscode-dark',
    variables: `
      --vscode-button-background: #0078d4;
      --vscode-button-border: rgba(255, 255, 255, 0.1);
      --vscode-button-foreground: #ffffff;
      --vscode-button-hoverBackground: #026ec1;
      --vscode-button-secondaryBackground: rgba(0, 0, 0, 0);
      --vscode-button-secondaryForeground: #cccccc;
      --vscode-button-secondaryHoverBackground: #2b2b2b;
      --vscode-descriptionForeground: #9d9d9d;
      --vscode-disabledForeground: rgba(204, 204, 204, 0.5);
      --vscode-editor-background: #1f1f1f;
      --vscode-editor-font-family: 'Droid Sans Mono', monospace;
      --vscode-editor-font-size: 14px;
      --vscode-editor-foreground: #cccccc;
      --vscode-editorError-foreground: #f14c4c;
      --vscode-editorGroup-border: rgba(255, 255, 255, 0.09);
      --vscode-editorWarning-foreground: #cca700;
      --vscode-focusBorder: #0078d4;
      --vscode-font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif;
      --vscode-font-size: 13px;
      --vscode-font-weight: normal;
      --vscode-foreground: #cccccc;
      --vscode-icon-foreground: #cccccc;
      --vscode-inputOption-activeBackground: rgba(36, 137, 219, 0.51);
      --vscode-inputOption-activeBorder: #2488db;
      --vscode-inputOption-activeForeground: #ffffff;
      --vscode-list-activeSelectionBackground: #04395e;
      --vscode-list-activeSelectionForeground: #ffffff;
      --vscode-list-errorForeground: #f88070;
      --vscode-list-focusOutline: #0078d4;
      --vscode-list-hoverBackground: #2a2d2e;
      --vscode-list-inactiveSelectionBackground: #37373d;
      --vscode-list-warningForeground: #cca700;
      --vscode-panel-border: #2b2b2b;
      --vscode-progressBar-background: #0078d4;
      --vscode-scrollbarSlider-background: rgba(121, 121, 121, 0.4);
      --vscode-scrollbarSlider-hoverBackground: rgba(100, 100, 100, 0.7);
      --vscode-textLink-activeForeground: #4daafc;
      --vscode-textLink-foreground: #4daafc;
      --vscode-toolbar-hoverBackground: rgba(90, 93, 94, 0.31);
    `,
  },
  light: {
    bodyClass: 'vscode-light',
    variables: `
      --vscode-button-background: #005fb8;
      --vscode-button-border: rgba(0, 0, 0, 0.1);
      --vscode-button-foreground: #ffffff;
      --vscode-button-hoverBackground: #0258a8;
      --vscode-button-secondaryBackground: #e5e5e5;
      --vscode-button-secondaryForeground: #3b3b3b;
      --vscode-button-secondaryHoverBackground: #cccccc;
      --vscode-descriptionForeground: #3b3b3b;
      --vscode-disabledForeground: rgba(97, 97, 97, 0.5);
      --vscode-editor-background: #ffffff;
      --vscode-editor-font-family: 'Droid Sans Mono', monospace;
      --vscode-editor-font-size: 14px;
      --vscode-editor-foreground: #3b3b3b;
      --vscode-editorError-foreground: #e51400;
      --vscode-editorGroup-border: #e5e5e5;
      --vscode-editorWarning-foreground: #bf8803;
      --vscode-focusBorder: #005fb8;
      --vscode-font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif;
      --vscode-font-size: 13px;
      --vscode-font-weight: normal;
      --vscode-foreground: #3b3b3b;
      --vscode-icon-foreground: #3b3b3b;
      --vscode-inputOption-activeBackground: #bed6ed;
      --vscode-inputOption-activeBorder: #005fb8;
      --vscode-inputOption-activeForeground: #000000;
      --vscode-list-activeSelectionBackground: #e8e8e8;
      --vscode-list-activeSelectionForeground: #000000;
      --vscode-list-errorForeground: #b01011;
      --vscode-list-focusOutline: #005fb8;
      --vscode-list-hoverBackground: #f2f2f2;
      --vscode-list-inactiveSelectionBackground: #e4e6f1;
      --vscode-list-warningForeground: #855f00;
      --vscode-panel-border: #e5e5e5;
      --vscode-progressBar-background: #005fb8;
      --vscode-scrollbarSlider-background: rgba(100, 100, 100, 0.4);
      --vscode-scrollbarSlider-hoverBackground: rgba(100, 100, 100, 0.7);
      --vscode-textLink-activeForeground: #005fb8;
      --vscode-textLink-foreground: #005fb8;
      --vscode-toolbar-hoverBackground: rgba(184, 184, 184, 0.31);
    `,
  },
  hcDark: {
    bodyClass: 'vscode-high-contrast',
    variables: `
      --vscode-button-background: #000000;
      --vscode-button-border: #6fc3df;
      --vscode-button-foreground: #ffffff;
      --vscode-button-hoverBackground: #000000;
      --vscode-button-secondaryForeground: #ffffff;
      --vscode-contrastActiveBorder: #f38518;
      --vscode-contrastBorder: #6fc3df;
      --vscode-descriptionForeground: rgba(255, 255, 255, 0.7);
      --vscode-disabledForeground: #a5a5a5;
      --vscode-editor-background: #000000;
      --vscode-editor-font-family: 'Droid Sans Mono', monospace;
      --vscode-editor-font-size: 14px;
      --vscode-editor-foreground: #ffffff;
      --vscode-editorError-foreground: #f48771;
      --vscode-editorGroup-border: #6fc3df;
      --vscode-editorWarning-foreground: #ffd370;
      --vscode-focusBorder: #f38518;
      --vscode-font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif;
      --vscode-font-size: 13px;
      --vscode-font-weight: normal;
      --vscode-foreground: #ffffff;
      --vscode-icon-foreground: #ffffff;
      --vscode-inputOption-activeBackground: rgba(0, 0, 0, 0);
      --vscode-inputOption-activeBorder: #6fc3df;
      --vscode-inputOption-activeForeground: #ffffff;
      --vscode-list-focusOutline: #f38518;
      --vscode-list-hoverBackground: rgba(255, 255, 255, 0.1);
      --vscode-panel-border: #6fc3df;
      --vscode-progressBar-background: #6fc3df;
      --vscode-scrollbarSlider-background: rgba(111, 195, 223, 0.6);
      --vscode-scrollbarSlider-hoverBackground: rgba(111, 195, 223, 0.8);
      --vscode-textLink-activeForeground: #21a6ff;
      --vscode-textLink-foreground: #21a6ff;
    `,
  },
  hcLight: {
    bodyClass: 'vscode-high-contrast-light vscode-high-contrast',
    variables: `
      --vscode-button-background: #0f4a85;
      --vscode-button-border: #0f4a85;
      --vscode-button-foreground: #ffffff;
      --vscode-button-hoverBackground: #0f4a85;
      --vscode-button-secondaryBackground: #ffffff;
      --vscode-button-secondaryForeground: #292929;
      --vscode-contrastActiveBorder: #006bbd;
      --vscode-contrastBorder: #0f4a85;
      --vscode-descriptionForeground: rgba(41, 41, 41, 0.7);
      --vscode-disabledForeground: #7f7f7f;
      --vscode-editor-background: #ffffff;
      --vscode-editor-font-family: 'Droid Sans Mono', monospace;
      --vscode-editor-font-size: 14px;
      --vscode-editor-foreground: #292929;
      --vscode-editorError-foreground: #b5200d;
      --vscode-editorGroup-border: #0f4a85;
      --vscode-editorWarning-foreground: #895503;
      --vscode-focusBorder: #006bbd;
      --vscode-font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif;
      --vscode-font-size: 13px;
      --vscode-font-weight: normal;
      --vscode-foreground: #292929;
      --vscode-icon-foreground: #292929;
      --vscode-inputOption-activeBackground: rgba(0, 0, 0, 0);
      --vscode-inputOption-activeBorder: #0f4a85;
      --vscode-inputOption-activeForeground: #292929;
      --vscode-list-activeSelectionBackground: rgba(15, 74, 133, 0.1);
      --vscode-list-focusOutline: #006bbd;
      --vscode-list-hoverBackground: rgba(15, 74, 133, 0.1);
      --vscode-list-inactiveSelectionBackground: rgba(15, 74, 133, 0.1);
      --vscode-panel-border: #0f4a85;
      --vscode-progressBar-background: #0f4a85;
      --vscode-scrollbarSlider-background: rgba(15, 74, 133, 0.4);
      --vscode-scrollbarSlider-hoverBackground: rgba(15, 74, 133, 0.8);
      --vscode-textLink-activeForeground: #0f4a85;
      --vscode-textLink-foreground: #0f4a85;
    `,
  },
};
