// Said in red wherever it holds that silence executes a call.
import type { ReactNode } from 'react';
import { Badge } from '../../ui/Badge.tsx';

export const ExecutesUndecided = (): ReactNode => (
  <Badge tone="error">Executes calls that nobody decides</Badge>
);
