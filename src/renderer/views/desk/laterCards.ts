// The desk's cards and lists. A question and the list come while the line to main is still being opened; the rest is
// fetched when it is wanted.
import { lazyPart } from '../../ui/LazyPart.tsx';

export const EpisodePane = lazyPart(async () => (await import('./EpisodePane.tsx')).EpisodePane, {
  label: 'Loading the episode',
});

export const DeskCard = lazyPart(async () => (await import('./DeskCard.tsx')).DeskCard, {
  label: 'Loading the question',
});

export const ClientRequest = lazyPart(
  async () => (await import('../../parts/advice/ClientRequest.tsx')).ClientRequest,
  { label: 'Loading the client’s request', fallback: null },
);

export const DeskList = lazyPart(async () => (await import('./DeskList.tsx')).DeskList, {
  label: 'Loading what waits',
});

export const HoldCard = lazyPart(async () => (await import('./HoldCard.tsx')).HoldCard, {
  label: 'Loading the held call',
});

export const BrokenOffList = lazyPart(async () => (await import('./BrokenOff.tsx')).BrokenOffList, {
  label: 'Loading the episodes that were stopped',
  fallback: null,
});

export const CameWith = lazyPart(async () => (await import('./CameWith.tsx')).CameWith, {
  label: 'Loading what came with the data folder',
  fallback: null,
});

export const LateCard = lazyPart(async () => (await import('./LateCard.tsx')).LateCard, {
  label: 'Loading the missed question',
});

export const RecentlyAnswered = lazyPart(async () => (await import('./Answered.tsx')).RecentlyAnswered, {
  label: 'Loading the last answers',
  fallback: null,
});

export const BatchApprove = lazyPart(async () => (await import('./BatchApprove.tsx')).BatchApprove, {
  label: 'Loading the held calls',
  fallback: null,
});

/** Fetches them ahead of time. */
export function preloadLaterCards(): void {
  for (const part of [HoldCard, EpisodePane, BatchApprove, LateCard]) void part.preload();
}
