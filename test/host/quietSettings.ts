/** User settings that hide everything in the window which is not about this extension. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'editor.accessibilitySupport': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.feedback.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'window.confirmBeforeClose': 'never',
  'window.newWindowDimensions': 'maximized',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/**
 * The same in machine scope, which a served workbench reads from another file: no notification
 * about the sample service's port.
 */
export const quietMachineSettings: Readonly<Record<string, unknown>> = {
  'remote.autoForwardPorts': false,
};
