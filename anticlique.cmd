@"%~dp0node_modules\.bin\node.cmd" "%~dp0electron\launch.mjs" %*
