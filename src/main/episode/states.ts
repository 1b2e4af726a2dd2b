// Ways to look at a world's state: now from its session, earlier from one that is rebuilt and thrown away.
import { createImages } from './images.ts';
import { createPreview } from './preview.ts';

export const createStates = (
  parts: Parameters<typeof createImages>[0] & Parameters<typeof createPreview>[0],
) => ({
  preview: createPreview(parts),
  images: createImages(parts),
});
