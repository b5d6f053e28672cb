import * as assert from 'node:assert/strict';
import { isSoftwareRenderer } from '../../../../../src/masks/page/labels/glLabelRenderer';

describe('Renderer of a WebGL context', () => {
  for (const name of [
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'ANGLE (Mesa, llvmpipe (LLVM 15.0.6 256 bits), OpenGL 4.5)',
    'ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (Apple, Apple Software Renderer, OpenGL 4.1)',
  ])
    it(`is the processor: ${name}`, () => assert.equal(isSoftwareRenderer(name), true));

  for (const name of [
    'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)',
    'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)',
    'WebKit WebGL',
  ])
    it(`is a GPU, or may be: ${name}`, () => assert.equal(isSoftwareRenderer(name), false));
});
