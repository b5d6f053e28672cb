// Bundles the extension into dist/ (see esbuild.mjs).
import '../esbuild.mjs';
