import * as charts from 'echarts/charts'
import * as components from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers'

use([
  charts.BarChart,
  charts.CustomChart,
  charts.LineChart,
  charts.ScatterChart,
  components.DataZoomInsideComponent,
  components.DataZoomSliderComponent,
  components.GridComponent,
  components.LegendPlainComponent,
  components.LegendScrollComponent,
  components.MarkLineComponent,
  components.TitleComponent,
  components.TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
])

export { init }
